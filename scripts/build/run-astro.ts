import { fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { BuildError, RefusedRelease, stopped } from '#server/process/explained-error.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROCESS = fileURLToPath(new URL('astro-process.ts', import.meta.url));

export interface AstroOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

/** How many chunks of error output are shown if the process ends without a reason. */
const LAST_ERRORS = 20;

const Failure = v.object({ error: v.string(), isRefused: v.boolean() });

/** Our own warnings begin with a name such as `[catalogue]`. */
const OWN_WARNING = /^\[\w+\] /;

/**
 * Runs `astro build` in a separate process, so that its memory is freed at the end, and passes its warnings on.
 * @param force builds every page again
 * @throws BuildError
 */
export async function runAstro(outDir: string, force: boolean, options: AstroOptions): Promise<void> {
  const { env = process.env, signal } = options;
  let failure: v.InferOutput<typeof Failure> | undefined;
  const lastErrors: string[] = [];
  await new Promise<void>((resolve, reject) => {
    const child = fork(PROCESS, [outDir, ...(force ? ['--force'] : [])], {
      cwd: ROOT,
      // Astro compiles its own modules.
      execArgv: [],
      // The shell's NODE_ENV must not count: it could put React's development build into the shop.
      env: {
        ...env,
        // A live shop has the page /api-test only if a setting requires it.
        ...(env.NODE_ENV === 'production' && !env.PUBLIC_API_TEST ? { PUBLIC_API_TEST: 'false' } : {}),
        NODE_ENV: 'production',
        ASTRO_TELEMETRY_DISABLED: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      ...(signal ? { signal, killSignal: 'SIGKILL' } : {}),
    });
    child.on('message', (message) => {
      failure = v.parse(Failure, message);
    });
    // Astro writes only warnings to stdout, because astro-process.ts sets its log level. Its stderr also has
    // errors.
    if (child.stdout) createInterface({ input: child.stdout }).on('line', console.warn);
    if (child.stderr)
      createInterface({ input: child.stderr }).on('line', (line) => {
        if (OWN_WARNING.test(line)) console.warn(line);
      });
    child.stderr?.on('data', (data) => {
      lastErrors.push(String(data));
      lastErrors.splice(0, lastErrors.length - LAST_ERRORS);
    });
    // After an abort we wait for 'close': until then, the process may still write into the folder.
    child.on('error', (reason) => reason.name !== 'AbortError' && reject(reason));
    child.on('close', (code, killSignal) => {
      if (code === 0) resolve();
      else if (signal?.aborted) reject(stopped('SIGTERM'));
      else if (killSignal) reject(stopped(killSignal));
      else
        reject(
          failure?.isRefused
            ? new RefusedRelease(failure.error)
            : new BuildError(
                failure?.error ??
                  `The pages could not be made. Nothing was published.\n${lastErrors.join('')}`,
              ),
        );
    });
  });
}
