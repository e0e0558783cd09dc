import { fork } from 'node:child_process';
import { once } from 'node:events';
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

/** How many lines of error output are shown if the process ends without a reason. */
const LAST_ERRORS = 50;

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
  });
  let failure: v.InferOutput<typeof Failure> | undefined;
  child.on('message', (message) => {
    failure = v.parse(Failure, message);
  });
  // Astro writes only warnings to stdout, because astro-process.ts sets its log level. Errors are in stderr.
  const lastErrors: string[] = [];
  if (child.stdout) createInterface({ input: child.stdout }).on('line', console.warn);
  if (child.stderr)
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (OWN_WARNING.test(line)) console.warn(line);
      lastErrors.push(line);
      lastErrors.splice(0, lastErrors.length - LAST_ERRORS);
    });
  const kill = (): void => void child.kill('SIGKILL');
  if (signal?.aborted) kill();
  signal?.addEventListener('abort', kill);
  // Until 'close', the process may still write into the folder.
  const [code, killSignal] = await once(child, 'close');
  signal?.removeEventListener('abort', kill);
  if (code === 0) return;
  if (killSignal) throw stopped(signal?.aborted ? 'SIGTERM' : killSignal);
  if (failure?.isRefused) throw new RefusedRelease(failure.error);
  const unknown = `The pages could not be made. Nothing was published.\n${lastErrors.join('\n')}`;
  throw new BuildError(failure?.error ?? unknown);
}
