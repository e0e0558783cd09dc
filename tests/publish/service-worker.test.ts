import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listFiles } from '#scripts/publish/site/built-pages.ts';
import { readFacts } from '#scripts/publish/site/page-facts.ts';
import { writeServiceWorker } from '#scripts/publish/site/service-worker.ts';
import { temporaryFolder, writeFiles } from './support/temporary-folder.ts';

const FILES: Readonly<Record<string, string>> = {
  'offline.html': '<script type="module" src="/_astro/shell.a1.js"></script>',
  'cart.html': '<link rel="modulepreload" href="/_astro/cart.a1.js"><img src="/_astro/bowl.a1.avif">',
  'product/p1.html': '<h1>Mango</h1>120',
  'index.html': '',
  'terms.html': '',
  '404.html': '',
  'favicon.svg': '<svg/>',
  '_astro/shell.a1.js': 'import"./small.a1.js";import("./later.a1.js")',
  '_astro/small.a1.js': '',
  '_astro/later.a1.js': 'import"./small.a1.js";import(`./texts.a1.js`)',
  '_astro/texts.a1.js': '',
  '_astro/cart.a1.js': 'import{a}from"./small.a1.js";const b=()=>import(`./prices.a1.js`)',
  '_astro/prices.a1.js': '',
};

async function workerOf(texts: Readonly<Record<string, string>>, enabled = true) {
  const site = temporaryFolder();
  writeFiles(site, texts);
  const files = await listFiles(site);
  await writeServiceWorker(site, files, await readFacts(site, files), enabled);
  const read = (name: string): string => readFileSync(join(site, name), 'utf8');
  return { worker: read('sw.js'), kill: read('sw-kill.js') };
}

test('the worker caches the offline page when it is installed, and the cart with all its scripts when a page asks', async () => {
  const { worker } = await workerOf(FILES);
  const [, shell, steps] = /shell:(\[.*?\]),steps:(\{.*?\})/.exec(worker) ?? [];
  expect(shell?.match(/\/[\w./]+/g)).toEqual([
    '/offline.html',
    '/favicon.svg',
    '/_astro/later.a1.js',
    '/_astro/shell.a1.js',
    '/_astro/small.a1.js',
  ]);
  expect(steps?.match(/\/[\w./]+/g)).toEqual([
    '/_astro/cart.a1.js',
    '/_astro/prices.a1.js',
    '/_astro/small.a1.js',
    '/cart',
  ]);
  expect(/pages:(\[.*?\])/.exec(worker)?.[1]?.match(/\/[\w./]*/g)).toEqual([
    '/cart',
    '/',
    '/offline',
    '/terms',
  ]);
});

test('switched off, the worker is the one that removes itself', async () => {
  const { worker, kill } = await workerOf(FILES, false);
  expect(worker).toBe(kill);
  expect(kill).toContain('unregister');
});
