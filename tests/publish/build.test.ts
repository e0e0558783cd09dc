import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { JSDOM } from 'jsdom';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { changesBetween } from '#scripts/publish/release/changes.ts';
import { fingerprint } from '#scripts/publish/release/manifest.ts';
import { listFiles } from '#scripts/publish/site/built-pages.ts';
import { build, type Run } from './support/run.ts';
import { type StubApi, startStubApi, wireProduct } from './support/stub-catalogue.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

/** A folder whose `dist` was built before. */
function builtBefore() {
  const folder = temporaryFolder();
  const dist = join(folder, 'dist');
  mkdirSync(dist);
  writeFileSync(join(dist, 'index.html'), 'the old site');
  const untouched = (): boolean =>
    readFileSync(join(dist, 'index.html'), 'utf8') === 'the old site' &&
    readdirSync(folder).length === 1 &&
    readdirSync(dist).length === 1;
  return { dist, untouched };
}

const NOBODY = 'http://127.0.0.1:9';

describe('a build that cannot read the catalogue', () => {
  test('[fault 1] names the endpoint within 60 s, without a stack, and leaves the old site', async () => {
    const { dist, untouched } = builtBefore();
    const started = performance.now();
    const { status, errors } = await build(dist, NOBODY);
    expect(performance.now() - started).toBeLessThan(60_000);
    expect(status).toBe(1);
    expect(errors.trim()).toBe(
      `The catalogue could not be read: GET ${NOBODY}/api/v1/storeInfo no answer (is the API running?). Nothing was published. Set PUBLIC_API_HOST to the address of the API and build again.`,
    );
    expect(untouched()).toBe(true);
  });

  test('[fault 2] publishes nothing when page 3 of 5 never comes', async () => {
    const { dist, untouched } = builtBefore();
    const api = await startStubApi(450);
    api.pagesAnswered = 2;
    const { status, errors } = await build(dist, api.url);
    expect(status).toBe(1);
    expect(errors).toContain(`GET ${api.url}/api/v1/products?page=3&limit=100 no answer`);
    expect(untouched()).toBe(true);
  });
});

test('[fault 81] a build killed between its two renames is repaired by the next build, even if that one fails', async () => {
  const folder = temporaryFolder();
  const dist = join(folder, 'dist');
  const dead = spawnSync(process.execPath, ['-e', '']).pid;
  mkdirSync(join(folder, `.dist.old-${dead}`));
  writeFileSync(join(folder, `.dist.old-${dead}`, 'index.html'), 'the old site');
  mkdirSync(join(folder, `.dist.building-${dead}`));
  expect((await build(dist, NOBODY)).status).toBe(1);
  expect(readFileSync(join(dist, 'index.html'), 'utf8')).toBe('the old site');
  await vi.waitFor(() => expect(existsSync(join(folder, `.dist.building-${dead}`))).toBe(false), 5_000);
});

describe('a plain shop, and the same with another price', () => {
  const CANARY = 'canary-7c1e5b';
  const SECRETS = Object.fromEntries(
    ['REBUILD_TOKEN', 'GATEWAY_SECRET', 'DATABASE', 'AWS_SECRET_ACCESS_KEY', 'SECRET'].map((name) => [
      name,
      `${CANARY}-${name}`,
    ]),
  );
  const REFUSED_OFFERS = { PUBLIC_IDEMPOTENCY_KEYS: 'false', PUBLIC_ORDER_LINES: 'false' };

  let api: StubApi;
  let folder: string;
  let first: Run;
  const textOf = (file: string): string => readFileSync(join(folder, 'plain', file), 'utf8');

  beforeAll(async () => {
    const ends: (() => void)[] = [];
    const atEnd = (end: () => void): void => void ends.push(end);
    api = await startStubApi(40, atEnd);
    api.store = { categoryImages: { default: 'https://cdn.example/any.webp' } };
    api.products[3] = { ...wireProduct(3), regularPrice: -1 };
    folder = temporaryFolder(atEnd);
    first = await build(join(folder, 'plain'), api.url, SECRETS);
    api.products[30] = { ...wireProduct(30), regularPrice: 4321 };
    api.store = { ...api.store, offers: ['idempotencyKeys', 'orderLines'] };
    await build(join(folder, 'rebuilt'), api.url, { ...SECRETS, ...REFUSED_OFFERS });
    return () => {
      for (const end of ends) end();
    };
  }, 240_000);

  test('[fault 82, 86] is complete, without the broken product and without any secret', async () => {
    expect(first.status, first.errors).toBe(0);
    const info = JSON.parse(textOf('build-info.json'));
    expect(textOf(info.dictionary)).toContain(textOf('index.html'));
    expect(first.errors).toMatch(
      /\[catalogue\] products\?page=1&limit=100 data\[3\] left out: .*regularPrice/,
    );
    const files = await listFiles(join(folder, 'plain'));
    expect(files).not.toContain('product/p3.html');
    expect(files).toContain('product/p4.html');
    expect(first.output + first.errors).not.toContain(CANARY);
    for (const file of files) expect(textOf(file), file).not.toContain(CANARY);
    expect(textOf('sitemap.xml')).toContain('/product/p4</loc>');
    // The early requests of a page's head go where all others go.
    expect(textOf('cart.html')).toContain(`\`${api.url}\``);
    expect(readdirSync(folder).sort()).toEqual(['plain', 'rebuilt']);
  });

  test('[spec 3.offers.2] [fault 91] rebuilds exactly the files that show the change, and uses no offer that a setting refuses', async () => {
    const [before, after] = await Promise.all(
      ['plain', 'rebuilt'].map((name) => fingerprint(join(folder, name))),
    );
    const { written, deleted } = changesBetween(
      { products: {}, files: before ?? {} },
      { products: {}, files: after ?? {} },
    );
    expect(deleted).toEqual([]);
    expect(written).toContain('product/p30.html');
    for (const file of written)
      expect(readFileSync(join(folder, 'rebuilt', file), 'utf8'), file).toMatch(/4,?321/);
  });

  test('[spec 3.offers.1, 2.payment.8] [fault 120] sends and shows nothing of what its API does not offer', async () => {
    const files = await listFiles(join(folder, 'plain'));
    const scripts = files.filter((file) => file.endsWith('.js')).map(textOf);
    for (const word of ['returnUntil', 'Idempotency-Key'])
      expect(
        scripts.filter((script) => script.includes(word)),
        word,
      ).toEqual([]);
    expect(textOf('payment.html')).not.toContain('Test payments: no money moves.');
  });

  test('[spec 2.header.2, 2.header.4, 2.home.9, 2.home.11, 2.home.12] has all defaults, because it has no store record', () => {
    const home = new JSDOM(textOf('index.html')).window.document;
    const texts = (selector: string): string[] =>
      [...home.querySelectorAll(selector)].map(({ textContent }) => (textContent ?? '').trim());
    expect(texts('header .logo-name')).toEqual(['Fresh Fruits']);
    expect(texts('header nav a')).toEqual(['men', 'women', 'accessories', 'All Products']);
    expect(texts('.category-name')).toEqual(['Tropical Fruits', 'Citrus Fruits', 'Berries']);
    const pictures = [...home.querySelectorAll('.categories img')].map((image) => image.getAttribute('src'));
    expect(pictures).toEqual(Array(3).fill('https://cdn.example/any.webp'));
    expect(home.querySelectorAll('.featured-skeleton')).toHaveLength(4);
    const withoutScript = home.querySelector('noscript .featured-none') ?? home.querySelector('noscript');
    expect(withoutScript?.textContent).toContain('No featured fruits available at the moment.');
  });

  test('marks on each page the links that lead to itself, although header and tab bar are rendered once for many', () => {
    const pages = {
      index: '/',
      products: '/products',
      search: '/search',
      account: '/account',
      cart: '/cart',
      contact: undefined,
    };
    for (const [page, path] of Object.entries(pages)) {
      const html = textOf(`${page}.html`)
        .replace(/<main[\s\S]*<\/main>/, '')
        .replace(/<footer[\s\S]*<\/footer>/, '');
      const marked = [...html.matchAll(/<a [^>]*href="([^"]*)"[^>]*aria-current="page"/g)].map(
        ([, href]) => href,
      );
      expect([...new Set(marked)], page).toEqual(path === undefined ? [] : [path]);
    }
  });
});
