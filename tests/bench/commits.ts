import { execFileSync, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const HERE = fileURLToPath(new URL('../..', import.meta.url));
const WORKTREES = join(HERE, '.cache/bench');

const git = (...args: string[]): string => execFileSync('git', args, { cwd: HERE, encoding: 'utf8' }).trim();

/** Runs npm in a folder with the Node that runs this script. Rejects when npm fails. */
export async function npm(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const PATH = [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter);
  const stdio: StdioOptions = ['ignore', 'ignore', 'inherit'];
  const child = spawn('npm', args, { cwd: folder, env: { ...process.env, PATH, ...env }, stdio });
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed in ${folder}`);
}

/** Checks a commit out into a git worktree, which is reused later, and installs its packages. Returns the folder. */
export async function checkOut(commit: string): Promise<string> {
  const id = git('rev-parse', '--short', '--verify', `${commit}^{commit}`);
  const folder = join(WORKTREES, id);
  if (!existsSync(folder)) {
    git('worktree', 'prune');
    git('worktree', 'add', '--quiet', '--detach', folder, id);
  }
  // npm writes this file last.
  if (!existsSync(join(folder, 'node_modules/.package-lock.json'))) await npm(folder, ['ci', '--silent']);
  return folder;
}
