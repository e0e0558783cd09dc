import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { build } from './support/run.ts';
import { startStubApi } from './support/stub-api.ts';
import { wireProduct } from './support/stub-catalogue.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ASTRO = join(ROOT, 'node_modules/astro/bin/astro.mjs');
const NOBODY = 'http://127.0.0.1:9';

async function plainBuild(out: string, api: string): Promise<number | null> {
  const child = spawn(process.execPath, [ASTRO, 'build'], {
    cwd: ROOT,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      OUT_DIR: out,
      PUBLIC_API_HOST: api,
      PUBLIC_IMAGES: 'passthrough',
      ASTRO_TELEMETRY_DISABLED: '1',
    },
    stdio: 'ignore',
  });
  const [status] = await once(child, 'close');
  return status;
}

/** scripts/page-scripts puts a page's scripts elsewhere, under other names: the rest must be as Astro wrote it. */
const withoutScripts = (html: string): string =>
  html.replace(/<script(?! type="application)[^>]*>[\s\S]*?<\/script>| data-draw="[^"]*"/g, '');

/** What scripts/prerender says before the sheets, which Astro orders as it likes. */
const LAYERS = '<style>@layer theme,base,components,utilities;';
const withoutLayers = (html: string): string => html.replace(LAYERS, '<style>');

test('pages made of the kept compilation are what a plain `astro build` makes', async () => {
  const folder = temporaryFolder();
  const api = await startStubApi(6);
  // Without a price, and with sizes: other buttons than the others have.
  api.products[4] = { ...wireProduct(4), regularPrice: null };
  api.products[5] = { ...wireProduct(5), attributes: [{ key: 'Size', values: ['S', 'M'] }] };
  const [kept, plain] = [join(folder, 'kept'), join(folder, 'plain')];
  expect((await build(kept, api.url)).status).toBe(0);
  expect(await plainBuild(plain, api.url)).toBe(0);
  const read = (dist: string, file: string): string => readFileSync(join(dist, file), 'utf8');
  const products = api.products.map(({ id }) => `product/${id}.html`);
  for (const page of ['index.html', 'products.html', 'contact.html', 'search.html', ...products]) {
    // A difference of whole pages would fill the screen.
    const made = withoutScripts(read(kept, page));
    expect(made, page).toContain(LAYERS);
    expect(withoutLayers(made) === withoutScripts(read(plain, page)), page).toBe(true);
  }
  for (const file of [
    'listing/all/1.json',
    'listing/all/facets.json',
    'listing/search/all.json',
    'feed.xml',
  ]) {
    expect(read(kept, file), file).toBe(read(plain, file));
  }
  expect(readdirSync(join(kept, 'product'))).toEqual(readdirSync(join(plain, 'product')));
});

test('a page marks the links that lead to itself, though header and tab bar are made once for many', async () => {
  const dist = join(temporaryFolder(), 'dist');
  const api = await startStubApi(2);
  await build(dist, api.url);
  const pages = {
    index: '/',
    products: '/products',
    search: '/search',
    account: '/account',
    cart: '/cart',
    contact: undefined,
  };
  for (const [page, path] of Object.entries(pages)) {
    const whole = readFileSync(join(dist, `${page}.html`), 'utf8');
    const html = whole.replace(/<main[\s\S]*<\/main>/, '').replace(/<footer[\s\S]*<\/footer>/, '');
    const marked = [...html.matchAll(/<a [^>]*href="([^"]*)"[^>]*aria-current="page"/g)].map(
      ([, href]) => href,
    );
    expect([...new Set(marked)], page).toEqual(path === undefined ? [] : [path]);
  }
});

test('[fault 81] a build killed between its two renames is repaired by the next, even one that fails', async () => {
  const folder = temporaryFolder();
  const dist = join(folder, 'dist');
  const dead = spawnSync(process.execPath, ['-e', '']).pid;
  mkdirSync(join(folder, `.dist.old-${dead}`));
  writeFileSync(join(folder, `.dist.old-${dead}`, 'index.html'), 'what stood');
  mkdirSync(join(folder, `.dist.building-${dead}`));
  expect((await build(dist, NOBODY)).status).toBe(1);
  expect(readFileSync(join(dist, 'index.html'), 'utf8')).toBe('what stood');
  await vi.waitFor(() => expect(existsSync(join(folder, `.dist.building-${dead}`))).toBe(false), 5_000);
});
