import { isInstalled } from '#tests/publish/support/web-servers.ts';
import { installPackages } from './install-packages.ts';
import { findPostgres } from './postgres-cluster.ts';

// Without the second line the package would start a server. The tests start their own, in a temporary folder.
const INSTALL = [
  'apt-get update && apt-get install -y postgresql-common || exit',
  "sed -ri 's/^#? *create_main_cluster *=.*/create_main_cluster = false/' /etc/postgresql-common/createcluster.conf",
  'apt-get install -y postgresql',
].join('\n');

if (!findPostgres()) {
  process.stdout.write("PostgreSQL is missing: installing Debian's (apt-get install postgresql) ...\n");
  const output = installPackages(INSTALL);
  if (!findPostgres()) {
    if (output !== undefined) process.stderr.write(`${output}\n`);
    process.stderr.write(
      'There is no PostgreSQL, so the API is tested on SQLite alone. Debian: apt-get install postgresql\n',
    );
    process.exitCode = process.env.CI === 'true' ? 1 : 0;
  }
}

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
  process.stdout.write(`${name} is missing and could not be installed: its tests are skipped.\n`);
}
