import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { JSDOM } from 'jsdom';
import { expect, test } from 'vitest';
import { listFiles } from '#scripts/publish/built-pages.ts';
import { build } from './support/run.ts';
import { startStubApi } from './support/stub-api.ts';
import { wireProduct } from './support/stub-catalogue.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const LONG = 'Ω'.repeat(300);

/** A shop of one product, whose record says next to nothing. */
async function oddShop(store: Record<string, unknown>): Promise<Document> {
  const dist = join(temporaryFolder(), 'dist');
  const api = await startStubApi(1);
  api.store = store;
  const { status, errors } = await build(dist, api.url);
  expect(errors).toBe('');
  expect(status).toBe(0);
  return new JSDOM(readFileSync(join(dist, 'index.html'), 'utf8')).window.document;
}

const texts = (root: Document, selector: string): string[] =>
  [...root.querySelectorAll(selector)].map(
    ({ textContent }) => textContent?.replace(/\s+/g, ' ').trim() ?? '',
  );

test('[spec 2.header.2, 2.header.4, 2.home.9, 2.home.11, 2.home.12] a store without a record has all defaults', async () => {
  const home = await oddShop({ categoryImages: { default: 'https://cdn.example/any.webp' } });
  expect(texts(home, 'header .logo-name')).toEqual(['Fresh Fruits']);
  expect(texts(home, 'header nav a')).toEqual(['men', 'women', 'accessories', 'All Products']);
  expect(texts(home, '.category-name')).toEqual(['Tropical Fruits', 'Citrus Fruits', 'Berries']);
  const pictures = [...home.querySelectorAll('.categories img')].map((image) => image.getAttribute('src'));
  expect(pictures).toEqual(Array(3).fill('https://cdn.example/any.webp'));
  expect(home.querySelectorAll('.featured-skeleton')).toHaveLength(4);
  expect(
    home.querySelector('noscript .featured-none')?.textContent ?? home.querySelector('noscript')?.textContent,
  ).toContain('No featured fruits available at the moment.');
});

test('[spec 2.header.2, 2.home.5, 2.home.7, 2.home.9] [fault 50] [fault 59] odd categories keep their names and their places, a picture that is none its placeholder', async () => {
  const home = await oddShop({
    companyName: 'Company & Sons',
    companyLogoUrl: 'data:text/html,<script>alert(1)</script>',
    categories: ['a&b/100% 🍊', `${LONG}<script>`],
    categoryImages: { 'a&b/100% 🍊': 'javascript:alert(1)' },
  });
  expect(texts(home, 'header .logo-name')).toEqual(['Company & Sons']);
  expect(home.documentElement.outerHTML).not.toMatch(/data:text\/html|javascript:/);
  expect(texts(home, '.category-name')).toEqual(['a&b/100% 🍊', `${LONG}<script>`]);
  expect(home.querySelectorAll('.categories.categories-2 .panel-placeholder')).toHaveLength(2);
  const [address] = [...home.querySelectorAll('.categories a')].map(
    (link) => link.getAttribute('href') ?? '',
  );
  expect(new URL(address ?? '', 'https://shop.example').searchParams.get('category')).toBe('a&b/100% 🍊');
});

test('[fault 62, 92] of a shop with too much of everything no page is over 100 KB, and /api-test can be left out', async () => {
  const dist = join(temporaryFolder(), 'dist');
  const api = await startStubApi(1);
  const long = Array.from({ length: 5_000 }, (_, index) => `${index}`.padEnd(500, ' word'));
  api.store = {
    ...api.store,
    categories: long,
    categoryImages: Object.fromEntries(long.map((name) => [name, ''])),
  };
  api.products[0] = {
    ...wireProduct(0),
    title: 'mango '.repeat(20_000),
    description: 'Ripe. '.repeat(180_000),
    attributes: long.map((value, index) => ({ key: index % 2 ? `key ${index}` : 'size', values: [value] })),
  };
  const others = long
    .slice(0, 400)
    .map((name, index) => ({ ...wireProduct(index + 1), parentCategory: name }));
  api.products.push(...others);
  const { status, errors } = await build(dist, api.url, { PUBLIC_API_TEST: 'false' });
  expect([status, errors]).toEqual([0, '']);

  const pages = (await listFiles(dist)).filter((file) => file.endsWith('.html'));
  expect(pages).toContain('product/p0.html');
  expect(pages.filter((page) => statSync(join(dist, page)).size > 100 * 1024)).toEqual([]);
  expect(pages).not.toContain('api-test.html');
});
