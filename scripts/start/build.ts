import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';

export type Build = {
  outDir: string;
  env: Readonly<Record<string, string>>;
  /** Told after each page, with how many there are so far. */
  onPage: (pages: number) => void;
  signal: AbortSignal;
};

/** Lines of Astro's that stand for a written page. */
const PAGE = /[├└]─.*\.html/g;

/** Runs the site's build. Rejects with its output when it fails. */
export const build = async ({ outDir, env, onPage, signal }: Build): Promise<void> => {
  await rm(outDir, { recursive: true, force: true });
  const child = spawn(process.execPath, ['node_modules/astro/bin/astro.mjs', 'build'], {
    env: { ...process.env, ...env, OUT_DIR: outDir, NO_COLOR: '1', ASTRO_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  let output = '';
  let pages = 0;
  const read = (chunk: string): void => {
    output += chunk;
    pages += chunk.match(PAGE)?.length ?? 0;
    onPage(pages);
  };
  child.stdout.setEncoding('utf8').on('data', read);
  child.stderr.setEncoding('utf8').on('data', read);
  await new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(output.trim()))));
  });
};
