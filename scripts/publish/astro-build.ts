import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { progress } from './progress.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ASTRO = fileURLToPath(new URL('../../node_modules/astro/bin/astro.mjs', import.meta.url));

export type AstroResult = { readonly ok: true } | { readonly ok: false; readonly message: string };

export interface AstroOptions {
  readonly outDir: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Builds every page anew, whatever an earlier build left in Astro's cache. */
  readonly force?: boolean;
  readonly signal?: AbortSignal;
  readonly onWarning?: (text: string) => void;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals' colours begin with one
const COLOURS = /\x1b\[[\d;]*m/g;
const PAGE = /[├└]─/g;
const ERROR = /\[ERROR\] (?:\[[\w-]+\] )?(?:Caught error rendering \S+: )?(?:\w*Error: )?(.+)/;
/** Astro tells the error's message, then this. */
const DETAILS = /^\s+(Location|Hint|Stack trace):/;
const LAST_LINES = 20;

const killed = (signal: NodeJS.Signals): string =>
  `The build was stopped (${signal}). Nothing was published.`;

/** Runs `astro build`. Its pages are counted, its warnings passed on, its first error kept without the stack. */
export function astroBuild({
  outDir,
  env = process.env,
  force = false,
  signal,
  onWarning = console.warn,
}: AstroOptions): Promise<AstroResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [ASTRO, 'build', ...(force ? ['--force'] : [])], {
      cwd: ROOT,
      env: {
        ...env,
        OUT_DIR: outDir,
        PAGE_CACHE: 'true',
        ASTRO_TELEMETRY_DISABLED: '1',
        NO_COLOR: '1',
        FORCE_COLOR: '0',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(signal ? { signal, killSignal: 'SIGKILL' } : {}),
    });
    const bar = progress('Building', 'pages');
    const lastLines: string[] = [];
    let pages = 0;
    let error: string | undefined;
    const read = (line: string): void => {
      const text = line.replace(COLOURS, '').trimEnd();
      if (text === '') return;
      pages += text.match(PAGE)?.length ?? 0;
      bar.update(pages);
      if (DETAILS.test(text)) error ??= lastLines.at(-1);
      error ??= ERROR.exec(text)?.[1];
      if (/^\[\w+\] /.test(text) || text.includes('[WARN]')) onWarning(text);
      lastLines.push(text);
      if (lastLines.length > LAST_LINES) lastLines.shift();
    };
    createInterface({ input: child.stdout }).on('line', read);
    createInterface({ input: child.stderr }).on('line', read);
    child.on('error', (reason) => {
      if (reason.name === 'AbortError') resolve({ ok: false, message: killed('SIGTERM') });
      else reject(reason);
    });
    child.on('close', (code, killSignal) => {
      bar.done();
      if (code === 0) resolve({ ok: true });
      else if (killSignal) resolve({ ok: false, message: killed(killSignal) });
      else resolve({ ok: false, message: error ?? `The build failed:\n${lastLines.join('\n')}` });
    });
  });
}
