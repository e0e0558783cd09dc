import { isInstalled } from '#tests/publish/support/web-servers.ts';
import { installPackages } from './install-packages.ts';

/* Installs nginx and Caddy, because tests try their configurations. If that fails, those tests are left out. */

/** Debian's own way to install a server without starting it. */
const NO_SERVICES = `policy=/usr/sbin/policy-rc.d
[ -e $policy ] || { printf '#!/bin/sh\\nexit 101\\n' > $policy && chmod +x $policy && trap "rm $policy" EXIT; }`;

const servers: readonly (readonly [name: string, flag: string])[] = [
  ['nginx', '-v'],
  ['caddy', 'version'],
];
const missing = (): string[] => servers.filter((server) => !isInstalled(...server)).map(([name]) => name);

if (missing().length > 0) {
  const names = missing().join(' ');
  process.stdout.write(`Installing Debian's ${names} (apt-get install ${names}) ...\n`);
  installPackages(`${NO_SERVICES}\napt-get update && apt-get install -y ${names}`);
}
for (const name of missing()) {
  process.stdout.write(`${name} is not here and could not be installed: its tests are left out.\n`);
}
