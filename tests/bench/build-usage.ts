import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './commits.ts';

const KIB_PER_GIB = 1024 * 1024;
const REPORT = new URL('./report-usage.ts', import.meta.url).href;

export interface Usage {
  /** ms of CPU time of all processes together, including npm. */
  readonly cpu: number;
  readonly seconds: number;
  /** The memory of the largest process. */
  readonly gib: number;
}

/** A commit of the shop, which is built and published by its own commands. */
export interface Builder {
  /** The folder of the commit's code. */
  readonly folder: string;
  /** The folder of the built site. */
  readonly dist: string;
  /** The folder for the measurement's own files. */
  readonly work: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Runs one of the commit's npm scripts and measures it. */
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
