import { isInstalled } from '#tests/publish/support/web-servers.ts';
import { installPackages } from './debian.ts';

/* nginx and Caddy, for whose configurations there are tests. Those are left out where the two cannot be had. */

const servers: readonly (readonly [name: string, flag: string])[] = [
  ['nginx', '-v'],
  ['caddy', 'version'],
];
const missing = (): string[] => servers.filter((server) => !isInstalled(...server)).map(([name]) => name);

if (missing().length > 0) installPackages(missing());
for (const name of missing()) {
  process.stdout.write(`${name} is not here and could not be installed: its tests are left out.\n`);
}
