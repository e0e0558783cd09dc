import { execFileSync, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const HERE = fileURLToPath(new URL('../..', import.meta.url));
const WORKTREES = join(HERE, '.cache/bench');
const REPORT_USAGE = new URL('./report-usage.ts', import.meta.url).href;
const KIB_PER_GIB = 1024 * 1024;

type Environment = Readonly<Record<string, string>>;

const git = (...args: string[]): string => execFileSync('git', args, { cwd: HERE, encoding: 'utf8' }).trim();

/** Runs npm in a folder with the Node that runs this script. Rejects when npm fails. */
async function npm(folder: string, args: readonly string[], env: Environment = {}): Promise<void> {
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

export interface Usage {
  /** ms of CPU time of all processes together, including npm. */
  readonly cpu: number;
  readonly seconds: number;
  /** The memory of the largest process. */
  readonly gib: number;
}

/**
 * Builds a shop by the commit's own command, and measures that.
 * @param folder the commit's code
 * @param usageFile where the processes of the build leave what they have used
 */
export async function build(
  folder: string,
  env: Environment,
  usageFile: string,
  ...args: string[]
): Promise<Usage> {
  const started = performance.now();
  await npm(folder, ['run', '--silent', 'build', ...args], {
    ...env,
    NODE_OPTIONS: `${env.NODE_OPTIONS ?? ''} --import=${REPORT_USAGE}`,
    USAGE_FILE: usageFile,
  });
  const used = readFileSync(usageFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number));
  return {
    cpu: used.reduce((sum, [user = 0, system = 0]) => sum + (user + system) / 1_000, 0),
    seconds: (performance.now() - started) / 1_000,
    gib: Math.max(...used.map(([, , rss = 0]) => rss)) / KIB_PER_GIB,
  };
}
