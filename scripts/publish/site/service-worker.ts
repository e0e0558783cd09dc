import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PAGES } from '#page-table.ts';
import type { Step, WorkerBuild } from '#service-worker/scope.ts';
import { withImports } from './built-pages.ts';
import type { SiteFacts } from './page-facts.ts';

const SOURCES = fileURLToPath(new URL('../../../src/service-worker/', import.meta.url));

const OFFLINE_PAGE = 'offline.html';

/** The file of src/components/shell/later.ts, which pages import after the load event. No HTML names it. */
const LATER = /^_astro\/later\.[\w-]+\.js$/;

/** The page that is prefetched for each step of a purchase. */
const STEPS: Readonly<Record<string, string>> = {
  cart: PAGES.cart.path,
  checkout: PAGES.checkout.path,
  payment: PAGES.payment.path,
};

const isListedPage = (file: string): boolean =>
  file.endsWith('.html') && !file.startsWith('product/') && file !== '404.html';

async function revisioned(directory: string, file: string): Promise<WorkerBuild['shell'][number]> {
  const hash = createHash('sha256').update(await readFile(join(directory, file)));
  return { url: `/${file}`, revision: hash.digest('base64url').slice(0, 16) };
}

async function describeSite(
  directory: string,
  files: readonly string[],
  facts: SiteFacts,
): Promise<WorkerBuild> {
  const later = files.filter((file) => LATER.test(file)).map((file) => `/${file}`);
  if (later.length === 0) throw new Error("The site has no script named 'later'.");
  const unhashed = [OFFLINE_PAGE, 'favicon.svg'].filter((file) => files.includes(file));
  const shell = await withImports(directory, [...(facts.get(OFFLINE_PAGE)?.files ?? []), ...later], 'static');
  const steps: Record<string, Step> = {};
  for (const [step, page] of Object.entries(STEPS)) {
    const pageFacts = facts.get(`${page.slice(1)}.html`);
    if (pageFacts) steps[step] = [...(await withImports(directory, pageFacts.files, 'all')), page];
  }
  return {
    shell: [
      ...(await Promise.all(unhashed.map((file) => revisioned(directory, file)))),
      ...shell.map((url) => ({ url, revision: null })),
    ],
    steps,
    pages: files.filter(isListedPage).map((file) => `/${file.replace(/(?:^index)?\.html$/, '')}`),
  };
}

/** Bundles a module and all its imports into one file. `constants` are global names in its code. */
async function bundle(source: string, constants: Readonly<Record<string, unknown>>): Promise<string> {
  const { rolldown } = await import('rolldown');
  const define = Object.entries(constants).map(([name, value]) => [name, JSON.stringify(value)]);
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

/**
 * Writes /sw.js, and /sw-kill.js to replace it in an emergency. With `enabled: false`, /sw.js already is the
 * latter. A site without an offline page gets no worker.
 */
export async function writeServiceWorker(
  directory: string,
  files: readonly string[],
  facts: SiteFacts,
  enabled: boolean,
): Promise<void> {
  if (!files.includes(OFFLINE_PAGE)) return;
  const kill = await bundle('kill.ts', {});
  const worker = enabled
    ? await bundle('worker.ts', {
        BUILD: await describeSite(directory, files, facts),
        'process.env.NODE_ENV': 'production',
      })
    : kill;
  await writeFile(join(directory, 'sw.js'), worker);
  await writeFile(join(directory, 'sw-kill.js'), kill);
}
