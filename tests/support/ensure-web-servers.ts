import { isInstalled } from '#tests/publish/support/web-servers.ts';
import { installPackages } from './install-packages.ts';

/*
 * Installs nginx, Caddy and systemd, because tests try their configurations and the units of systemd. If that fails, those
 * tests are left out.
 */

/** Debian's own way to install a server without starting it. */
const NO_SERVICES = `policy=/usr/sbin/policy-rc.d
[ -e $policy ] || { printf '#!/bin/sh\\nexit 101\\n' > $policy && chmod +x $policy && trap "rm $policy" EXIT; }`;

const packages: readonly (readonly [name: string, program: string, flag: string])[] = [
  ['nginx', 'nginx', '-v'],
  ['caddy', 'caddy', 'version'],
  ['systemd', 'systemd-analyze', '--version'],
];
const missing = (): string[] =>
  packages.filter(([, program, flag]) => !isInstalled(program, flag)).map(([name]) => name);

if (missing().length > 0) {
  const names = missing().join(' ');
  process.stdout.write(`Installing Debian's ${names} (apt-get install ${names}) ...\n`);
  installPackages(`${NO_SERVICES}\napt-get update && apt-get install -y ${names}`);
}
for (const name of missing()) {
  process.stdout.write(`${name} is not here and could not be installed: its tests are left out.\n`);
}
