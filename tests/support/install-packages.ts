import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const succeeds = (command: string, ...args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** The words before a command that runs it as root; undefined if sudo asks for a password. */
const asRoot = (): string[] | undefined => {
  if (process.getuid?.() === 0) return [];
  return succeeds('sudo', '-n', 'true') ? ['sudo', '-n'] : undefined;
};

/**
 * Runs a script that installs Debian packages as root. Returns what it printed, or undefined if this is not Debian or
 * the user may not become root.
 */
export function installPackages(script: string): string | undefined {
  const root = existsSync('/etc/debian_version') ? asRoot() : undefined;
  if (!root) return undefined;
  const [command = 'sh', ...args] = [...root, 'sh', '-c', `export DEBIAN_FRONTEND=noninteractive\n${script}`];
  const { stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  return stdout + stderr;
}
