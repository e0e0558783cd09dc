import { fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { BuildError, stopped } from '#scripts/program/explained-error.ts';
import { progress } from '#scripts/program/progress.ts';
import type { PublishProgress } from '#scripts/program/publishing.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROCESS = fileURLToPath(new URL('astro-process.ts', import.meta.url));

export interface AstroOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
  readonly onWarning?: (text: string) => void;
  readonly onProgress?: (progress: PublishProgress) => void;
}

/** How many of the last chunks of error output are shown when the process ends without giving a reason. */
const LAST_ERRORS = 20;

const Failure = v.object({ error: v.string() });

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colour codes begin with a control character
const COLOURS = /\x1b\[[\d;]*m/g;
/**
 * Astro's log has a line for each page, which says whether the page was restored from an earlier build. The log has
 * no contract: only the progress and a count that is printed depend on it.
 */
const PAGE = '├─';
const RESTORED = '(restored)';
/** Our own warnings begin with the name of the part that warns, such as `[catalogue]`. */
const WARNING = /^\[\w+\] |\[WARN\]/;

/**
 * Runs `astro build` in a separate process, so that its memory is freed at the end, and passes its warnings on.
 * @param force builds every page again
 * @returns how many pages Astro restored from an earlier build
 * @throws BuildError in words for a person
 */
export async function runAstro(outDir: string, force: boolean, options: AstroOptions): Promise<number> {
  const { env = process.env, signal, onWarning = console.warn } = options;
  const bar = progress('Building', 'pages');
  let pages = 0;
  let restored = 0;
  let error: string | undefined;
  const lastErrors: string[] = [];
  const readLine = (line: string): void => {
    if (line.includes(PAGE)) {
      pages += 1;
      if (line.includes(RESTORED)) restored += 1;
      bar.update(pages);
      options.onProgress?.({ phase: 'building', done: pages, total: 0 });
    } else if (WARNING.test(line.replace(COLOURS, ''))) onWarning(line);
  };
  try {
    await new Promise<void>((resolve, reject) => {
      const child = fork(PROCESS, [outDir, ...(force ? ['--force'] : [])], {
        cwd: ROOT,
        // The shell's NODE_ENV must not count: it could put React's development build into the shop.
        env: { ...env, NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1' },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        ...(signal ? { signal, killSignal: 'SIGKILL' } : {}),
      });
      child.on('message', (message) => {
        error = v.parse(Failure, message).error;
      });
      for (const output of [child.stdout, child.stderr]) {
        if (output) createInterface({ input: output }).on('line', readLine);
      }
      child.stderr?.on('data', (data) => {
        lastErrors.push(String(data));
        lastErrors.splice(0, lastErrors.length - LAST_ERRORS);
      });
      // After an abort we wait for 'close': until the process is gone, it may still write into the folder.
      child.on('error', (reason) => reason.name !== 'AbortError' && reject(reason));
      child.on('close', (code, killSignal) => {
        if (code === 0) resolve();
        else if (signal?.aborted) reject(stopped('SIGTERM'));
        else if (killSignal) reject(stopped(killSignal));
        else
          reject(
            new BuildError(
              error ?? `The pages could not be made. Nothing was published.\n${lastErrors.join('')}`,
            ),
          );
      });
    });
    return restored;
  } finally {
    bar.done();
  }
}
