import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Debian's own way to install a server without starting it. */
const NO_SERVICES = `policy=/usr/sbin/policy-rc.d
[ -e $policy ] || { printf '#!/bin/sh\\nexit 101\\n' > $policy && chmod +x $policy && trap "rm $policy" EXIT; }`;

const succeeds = (command: string, ...args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** How this user becomes root here: not at all needed, by sudo without a password, or not possible. */
const asRoot = (script: string): string[] | undefined => {
  if (process.getuid?.() === 0) return ['sh', '-c', script];
  return succeeds('sudo', '-n', 'true') ? ['sudo', '-n', 'sh', '-c', script] : undefined;
};

/**
 * Installs packages where this is a Debian and the user may; of the optional ones those that its release has.
 * Gives what was printed, and undefined where it may not be.
 */
export function installPackages(
  names: readonly string[],
  optional: readonly string[] = [],
): string | undefined {
  const script = [
    'export DEBIAN_FRONTEND=noninteractive',
    NO_SERVICES,
    `apt-get update && apt-get install -y ${names.join(' ')} || exit`,
    ...optional.map((name) => `apt-get install -y ${name} || true`),
  ].join('\n');
  const [command, ...args] = (existsSync('/etc/debian_version') && asRoot(script)) || [];
  if (command === undefined) return undefined;
  process.stdout.write(`Installing what the tests drive (apt-get install ${names.join(' ')}) ...\n`);
  const { stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  return stdout + stderr;
}
