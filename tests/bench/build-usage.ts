import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './commits.ts';

const KIB_PER_GIB = 1024 * 1024;
const REPORT = new URL('./report-usage.ts', import.meta.url).href;

export interface Usage {
  /** ms of CPU of all processes together, npm's included. */
  readonly cpu: number;
  readonly seconds: number;
  /** Of the largest process. */
  readonly gib: number;
}

/** A commit's shop as it is built and published by its own commands. */
export interface Builder {
  /** Of the commit's code. */
  readonly folder: string;
  /** Where its site is built. */
  readonly dist: string;
  /** For files of the measurement. */
  readonly work: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What one of its npm scripts takes. */
export async function run({ folder, work, env }: Builder, ...command: readonly string[]): Promise<Usage> {
  const file = join(work, `usage-${Date.now()}`);
  const started = performance.now();
  await npm(folder, ['run', '--silent', ...command], {
    ...env,
    PUBLIC_IMAGES: 'passthrough',
    NODE_OPTIONS: `--import=${REPORT}`,
    USAGE_FILE: file,
  });
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number));
  return {
    cpu: lines.reduce((sum, [user = 0, system = 0]) => sum + (user + system) / 1_000, 0),
    seconds: (performance.now() - started) / 1_000,
    gib: Math.max(...lines.map(([, , rss = 0]) => rss)) / KIB_PER_GIB,
  };
}
