import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { waitForLock } from '#scripts/publish/release/lock.ts';
import { listFiles } from '#scripts/publish/site/built-pages.ts';
import { build } from './support/run.ts';
import { startStubApi } from './support/stub-api.ts';
import { wireProduct } from './support/stub-catalogue.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ASTRO = join(ROOT, 'node_modules/astro/bin/astro.mjs');
const NOBODY = 'http://127.0.0.1:9';

/** Runs `astro build`. It takes the lock of our builds, because all builds of this checkout share Astro's cache. */
async function astroBuild(outDir: string, api: string): Promise<number | null> {
  const lock = await waitForLock(join(ROOT, '.cache/build/lock'), () => {});
  const child = spawn(process.execPath, [ASTRO, 'build', '--outDir', outDir], {
    cwd: ROOT,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PUBLIC_API_HOST: api,
      PUBLIC_IMAGES: 'passthrough',
      ASTRO_TELEMETRY_DISABLED: '1',
    },
    stdio: 'ignore',
  });
  const [status] = await once(child, 'close');
  lock.release();
  return status;
}

const withoutPolicy = (text: string): string =>
  text.replace(/<meta http-equiv="content-security-policy"[^>]*>/, '');

test('`npm run build` adds files beside what `astro build` writes, and changes none of it', async () => {
  const folder = temporaryFolder();
  const api = await startStubApi(6);
  // A product without a price and one with sizes have other buttons than the rest.
  api.products[4] = { ...wireProduct(4), regularPrice: null };
  api.products[5] = { ...wireProduct(5), attributes: [{ key: 'Size', values: ['S', 'M'] }] };
  const [whole, plain] = [join(folder, 'whole'), join(folder, 'plain')];
  expect((await build(whole, api.url)).status).toBe(0);
  expect(await astroBuild(plain, api.url)).toBe(0);
  const files = await listFiles(plain);
  expect(files).toContain('product/p5.html');
  for (const file of files) {
    // `toBe` on the texts would print whole pages.
    const [ours, astros] = [whole, plain].map((site) => readFileSync(join(site, file), 'utf8'));
    expect(withoutPolicy(ours ?? '') === astros, file).toBe(true);
  }
  expect(readdirSync(join(whole, 'product'))).toEqual(readdirSync(join(plain, 'product')));
});

test('a page marks the links that lead to itself, although header and tab bar are rendered once for many pages', async () => {
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

test('[fault 81] a build killed between its two renames is repaired by the next build, even if that one fails', async () => {
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
