import { fork } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import type { AstroOptions } from './astro-build.ts';
import { BuildError, stopped } from './build-error.ts';
import type { SiteFacts } from './page-facts.ts';
import { progress } from './progress.ts';
import { decodeFacts } from './site-facts.ts';

const MAIN = fileURLToPath(new URL('../prerender/main.ts', import.meta.url));
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const Message = v.union([v.object({ done: v.number(), total: v.number() }), v.object({ error: v.string() })]);

export interface RenderOptions extends AstroOptions {
  /** What was kept of the compilation. */
  readonly kept: string;
  /** An empty folder. */
  readonly directory: string;
  /** Brings no page of the last build back. */
  readonly fresh: boolean;
}

/**
 * Makes the site's pages in a process of its own, whose memory goes with it. Gives the facts of the pages.
 * @throws BuildError in words for a person
 */
export async function renderSite(options: RenderOptions): Promise<SiteFacts> {
  const { kept, directory, fresh, env = process.env, signal, onWarning = console.warn } = options;
  const factsFile = `${directory}.facts`;
  const bar = progress('Building', 'pages');
  let error: string | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const child = fork(MAIN, [kept, directory, factsFile, ...(fresh ? ['--fresh'] : [])], {
        cwd: ROOT,
        env: { ...env, NODE_ENV: 'production' },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        ...(signal ? { signal, killSignal: 'SIGKILL' } : {}),
      });
      child.on('message', (message) => {
        const told = v.parse(Message, message);
        if ('error' in told) error = told.error;
        else bar.update(told.done, told.total);
      });
      for (const output of [child.stdout, child.stderr]) {
        if (output) createInterface({ input: output }).on('line', onWarning);
      }
      child.on('error', (reason) => reject(reason.name === 'AbortError' ? stopped('SIGTERM') : reason));
      child.on('close', (code, killSignal) => {
        if (code === 0) resolve();
        else if (killSignal) reject(stopped(killSignal));
        else reject(new BuildError(error ?? 'The pages could not be made. Nothing was published.'));
      });
    });
    return decodeFacts(JSON.parse(readFileSync(factsFile, 'utf8')));
  } finally {
    bar.done();
    rmSync(factsFile, { force: true });
  }
}
