import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listFiles } from '#scripts/publish/site/built-pages.ts';

export interface Run {
  readonly status: number | null;
  readonly output: string;
  readonly errors: string;
}

const script = (name: string): string => fileURLToPath(new URL(`../../../scripts/${name}`, import.meta.url));

/** Starts a script of this repository in a new process group. */
export function startScript(
  name: string,
  env: Record<string, string>,
  args: readonly string[] = [],
): { child: ChildProcess; ended: Promise<Run> } {
  const child = spawn(process.execPath, [script(name), ...args], {
    env: { ...process.env, PUBLIC_IMAGES: 'passthrough', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const output: Buffer[] = [];
  const errors: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  const ended = new Promise<Run>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) =>
      resolve({ status, output: Buffer.concat(output).toString(), errors: Buffer.concat(errors).toString() }),
    );
  });
  return { child, ended };
}

export const build = (
  target: string,
  api: string,
  env: Record<string, string> = {},
  args: readonly string[] = [],
): Promise<Run> => startScript('build.ts', { OUT_DIR: target, PUBLIC_API_HOST: api, ...env }, args).ended;

/** A hash of the names and contents of all files in a folder. */
export async function treeHash(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const file of await listFiles(folder)) {
    hash.update(`${file}\0`).update(readFileSync(join(folder, file)));
  }
  return hash.digest('hex');
}
