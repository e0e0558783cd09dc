import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Type of src/service-worker/scope.ts: what the worker is told. */
interface WorkerBuild {
  shell: { url: string; revision: string | null }[];
  steps: Record<string, string[]>;
}

const SOURCES = fileURLToPath(new URL('../../src/service-worker/', import.meta.url));
const WORKER = 'sw.js';
const KILL = 'sw-kill.js';
const OFFLINE_PAGE = 'offline.html';
const ICON = 'favicon.svg';
/** Loaded on every page after the load event, so no page names it. */
const LATER = /^_astro\/later\.[\w-]+\.js$/;

/** Which page is fetched ahead for which step. */
const STEPS: Readonly<Record<string, string>> = {
  cart: '/cart',
  checkout: '/checkout',
  payment: '/payment',
};

const NAMED_BY_PAGE = /["'`(](\/_astro\/[\w.~-]+\.(?:js|css|woff2))["'`)]/g;
const STATIC = /\b(?:from|import)\s*["'`]((?:\.{1,2}|\/_astro)\/[\w.~-]+\.js)["'`]/g;
const ANY_IMPORT = /\b(?:from|import)\s*\(?\s*["'`]((?:\.{1,2}|\/_astro)\/[\w.~-]+\.js)["'`]/g;

const addresses = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, address]) => address ?? '');

/** These files and all that they import, sorted. */
async function withImports(directory: string, first: readonly string[], imports: RegExp): Promise<string[]> {
  const found = new Set<string>();
  const queue = [...first];
  for (let address = queue.pop(); address !== undefined; address = queue.pop()) {
    if (found.has(address) || !existsSync(join(directory, address))) continue;
    found.add(address);
    if (!address.endsWith('.js')) continue;
    const folder = posix.dirname(address);
    const names = addresses(await readFile(join(directory, address), 'utf8'), imports);
    queue.push(...names.map((name) => posix.resolve(folder, name)));
  }
  return [...found].sort();
}

const namedByPage = async (directory: string, page: string): Promise<string[]> =>
  addresses(await readFile(join(directory, page), 'utf8'), NAMED_BY_PAGE);

async function revisioned(directory: string, file: string): Promise<WorkerBuild['shell'][number]> {
  const hash = createHash('sha256').update(await readFile(join(directory, file)));
  return { url: `/${file}`, revision: hash.digest('base64url').slice(0, 16) };
}

async function describeSite(directory: string, files: readonly string[]): Promise<WorkerBuild> {
  const later = files.filter((file) => LATER.test(file)).map((file) => `/${file}`);
  const shell = [...(await namedByPage(directory, OFFLINE_PAGE)), ...later];
  const named = [OFFLINE_PAGE, ICON].filter((file) => files.includes(file));
  const steps: WorkerBuild['steps'] = {};
  for (const [step, page] of Object.entries(STEPS)) {
    const file = `${page.slice(1)}.html`;
    if (!files.includes(file)) continue;
    steps[step] = [...(await withImports(directory, await namedByPage(directory, file), ANY_IMPORT)), page];
  }
  return {
    shell: [
      ...(await Promise.all(named.map((file) => revisioned(directory, file)))),
      ...(await withImports(directory, shell, STATIC)).map((url) => ({ url, revision: null })),
    ],
    steps,
  };
}

/** One file of its own, for a browser that knows no other of ours. */
async function bundle(source: string, told: Readonly<Record<string, unknown>>): Promise<string> {
  const { rolldown } = await import('rolldown');
  const define = Object.entries(told).map(([name, value]) => [name, JSON.stringify(value)]);
  const build = await rolldown({
    input: SOURCES + source,
    platform: 'browser',
    transform: { define: Object.fromEntries(define), target: 'es2022' },
    logLevel: 'silent',
  });
  const { output } = await build.generate({
    format: 'iife',
    minify: true,
    topLevelVar: true,
    comments: false,
  });
  await build.close();
  return output[0].code;
}

/** Bundles once what is the same; `memory` is a folder that goes with the code. */
async function remembered(
  source: string,
  told: Readonly<Record<string, unknown>>,
  memory?: string,
): Promise<string> {
  if (memory === undefined) return bundle(source, told);
  const key = createHash('sha256')
    .update(JSON.stringify([source, told]))
    .digest('base64url');
  const file = join(memory, `${source}-${key.slice(0, 22)}.js`);
  const before = await readFile(file, 'utf8').catch(() => undefined);
  if (before !== undefined) return before;
  const text = await bundle(source, told);
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
  return text;
}

/**
 * Writes /sw.js, and /sw-kill.js to put in its place in an emergency. With `enabled: false` /sw.js is that already.
 * A site without an offline page gets no worker.
 */
export async function writeServiceWorker(
  directory: string,
  files: readonly string[],
  enabled: boolean,
  memory?: string,
): Promise<void> {
  if (!files.includes(OFFLINE_PAGE)) return;
  const kill = await remembered('kill.ts', {}, memory);
  const worker = enabled
    ? await remembered(
        'worker.ts',
        { BUILD: await describeSite(directory, files), 'process.env.NODE_ENV': 'production' },
        memory,
      )
    : kill;
  await writeFile(join(directory, WORKER), worker);
  await writeFile(join(directory, KILL), kill);
}
