import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { BuildError, stopped } from './build-error.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ASTRO = fileURLToPath(new URL('../../node_modules/astro/bin/astro.mjs', import.meta.url));

export interface AstroOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
  readonly onWarning?: (text: string) => void;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals' colours begin with one
const COLOURS = /\x1b\[[\d;]*m/g;
/** '✗ Build failed' alone says nothing: what failed is in the next line. */
const ERROR = /^\[vite\]: (.+)|\[ERROR\] (?:\[[\w-]+\] )?(?:\w*Error: )?(?!✗ Build failed)(.+)/;
/** Astro tells the error's message, then this. */
const DETAILS = /^\s+(Location|Hint|Stack trace):/;
const LAST_LINES = 20;

/**
 * Compiles the shop into `folder` with `astro build`. Its warnings are passed on, its first error kept without the stack.
 * @throws BuildError in words for a person
 */
export function compileShop(
  folder: string,
  client: string,
  { env = process.env, signal, onWarning = console.warn }: AstroOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [ASTRO, 'build'], {
      cwd: ROOT,
      env: {
        ...env,
        OUT_DIR: client,
        KEEP_RENDERER: folder,
        // Whatever the shell says: a shop compiled for development makes every part of every page anew.
        NODE_ENV: 'production',
        ASTRO_TELEMETRY_DISABLED: '1',
        NO_COLOR: '1',
        FORCE_COLOR: '0',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(signal ? { signal, killSignal: 'SIGKILL' } : {}),
    });
    const lastLines: string[] = [];
    let error: string | undefined;
    const read = (line: string): void => {
      const text = line.replace(COLOURS, '').trimEnd();
      if (text === '') return;
      if (DETAILS.test(text)) error ??= lastLines.at(-1);
      const found = ERROR.exec(text);
      error ??= found?.[1] ?? found?.[2];
      if (text.includes('[WARN]')) onWarning(text);
      lastLines.push(text);
      if (lastLines.length > LAST_LINES) lastLines.shift();
    };
    createInterface({ input: child.stdout }).on('line', read);
    createInterface({ input: child.stderr }).on('line', read);
    child.on('error', (reason) => reject(reason.name === 'AbortError' ? stopped('SIGTERM') : reason));
    child.on('close', (code, killSignal) => {
      if (code === 0) resolve();
      else if (killSignal) reject(stopped(killSignal));
      else reject(new BuildError(error ?? `The build failed:\n${lastLines.join('\n')}`));
    });
  });
}
