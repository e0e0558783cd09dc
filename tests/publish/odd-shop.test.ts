import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { JSDOM } from 'jsdom';
import { afterAll, describe, expect, test } from 'vitest';
import { PAGE_SIZE } from '#domain/listing.ts';
import { listFiles } from '#scripts/publish/site/built-pages.ts';
import { ATTACKS } from '#tests/support/attacks.ts';
import { build } from './support/run.ts';
import { startStubApi } from './support/stub-api.ts';
import { wireProduct } from './support/stub-catalogue.ts';
import { type AtEnd, temporaryFolder } from './support/temporary-folder.ts';

const LONG = 'Ω'.repeat(300);

/** The home page of a shop with one product and this store record. */
async function oddShop(store: Record<string, unknown>): Promise<Document> {
  const dist = join(temporaryFolder(), 'dist');
  const api = await startStubApi(1);
  api.store = store;
  const { status, errors } = await build(dist, api.url);
  expect(errors).toBe('');
  expect(status).toBe(0);
  return new JSDOM(readFileSync(join(dist, 'index.html'), 'utf8')).window.document;
}

const flat = (text: string): string => text.replace(/\s+/g, ' ').trim();

const texts = (root: Document, selector: string): string[] =>
  [...root.querySelectorAll(selector)].map(({ textContent }) => flat(textContent ?? ''));

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

/** Each attack on its own, and once more after the end tags of a title and a text field. */
const HOSTILE = ATTACKS.map((attack) => `${attack}</title></textarea>${attack}`);
const COMPANY = `Company & Sons${ATTACKS[1]}`;
const ADDRESS = ATTACKS.slice(2, 9).join(' ');
const UNKNOWN_POLICY = 'The text of a policy that no page is for.';

/** A product in which every text comes from `textAt`, called with the place of the text. */
const productOf = (id: string, textAt: (place: number) => string): Record<string, unknown> => ({
  ...wireProduct(0),
  id,
  title: textAt(0),
  description: textAt(1),
  category: textAt(2),
  parentCategory: textAt(3),
  imgUrl: 'javascript:pwned()',
  images: ATTACKS.slice(-20).map((url) => ({ url })),
  attributes: [
    { key: 'Size', values: [textAt(4), textAt(5)] },
    { key: 'Color', values: [textAt(6), textAt(7)] },
    { key: `pH ${textAt(8)}`, values: [textAt(9)], metricUnit: textAt(10) },
    { key: `pH ${textAt(11)}`, values: [textAt(12)], metricUnit: textAt(13) },
  ],
});

const HOSTILE_PRODUCTS = HOSTILE.map((_each, index) => {
  const textAt = (place: number): string => HOSTILE[(index + place) % HOSTILE.length] ?? '';
  return { file: `product/hostile${index}.html`, textAt, wire: productOf(`hostile${index}`, textAt) };
});

const HOSTILE_STORE = {
  companyName: COMPANY,
  companyAddress: ADDRESS,
  companyEmail: `care@shop.example${ATTACKS[3]}`,
  companyPhone: ATTACKS[5],
  companyLogoUrl: 'data:text/html,<script>alert(1)</script>',
  description: ATTACKS.join(' '),
  categories: ['a&b/100% 🍊', `${LONG}<script>pwned()</script>`],
  categoryImages: { 'a&b/100% 🍊': 'javascript:alert(1)' },
  policies: {
    terms: HOSTILE.join('\n'),
    privacy: ATTACKS.join('\n'),
    refund: '<p title="{{companyAddress}}">{{companyName}}</p><a href="javascript:pwned()">x</a>',
    ...Object.fromEntries(
      ['login', 'index', 'not-a-policy', 'product/harmless', '../x', '__proto__', 'constructor'].map(
        (slug) => [slug, `<p>${UNKNOWN_POLICY}</p>`],
      ),
    ),
  },
};

const isData = (script: Element): boolean => script.getAttribute('type') === 'application/ld+json';

/** The inline code that a page's policy would allow by its hash. */
const codeOf = (page: Document): string[] =>
  [...page.querySelectorAll('script:not([src]), style')]
    .filter((element) => !isData(element))
    .map(({ textContent }) => textContent ?? '');

const ADDRESSES = ['href', 'src', 'action', 'formaction', 'xlink:href'];
const HARMLESS = ['https:', 'http:', 'mailto:', 'tel:'];

/** The elements and attributes in a page that none of our pages uses, and the addresses that run code. */
function dangersOf(page: Document): string[] {
  const elements = page.querySelectorAll(
    'svg script, math, base, iframe, object, embed, meta[http-equiv=refresh i]',
  );
  const attributes = [...page.querySelectorAll('*')].flatMap((element) => [...element.attributes]);
  const dangerous = attributes.filter(
    ({ name, value }) =>
      name.startsWith('on') ||
      (ADDRESSES.includes(name) && !HARMLESS.includes(new URL(value, 'https://shop.example').protocol)),
  );
  return [
    ...[...elements].map(({ outerHTML }) => outerHTML),
    ...dangerous.map(({ name, value }) => `${name}=${value}`),
  ];
}

const structuredData = (page: Document): unknown[] =>
  [...page.querySelectorAll('script')]
    .filter(isData)
    .map(({ textContent }): unknown => JSON.parse(textContent ?? ''));

const { DOMParser } = new JSDOM().window;

async function buildHostileShop(atEnd: AtEnd) {
  const folder = temporaryFolder(atEnd);
  const dist = join(folder, 'dist');
  const api = await startStubApi(0, atEnd);
  api.store = HOSTILE_STORE;
  api.products = [
    ...HOSTILE_PRODUCTS.map(({ wire }) => wire),
    productOf('harmless', (place) => `Mango ${place}`),
    { ...wireProduct(1), id: 'priceless', regularPrice: null },
  ];
  const { status, errors } = await build(dist, api.url);
  expect(status, errors).toBe(0);
  const read = (file: string): string => readFileSync(join(dist, file), 'utf8');
  return {
    folder,
    files: await listFiles(dist),
    read,
    pageOf: (file: string): Document => new DOMParser().parseFromString(read(file), 'text/html'),
    errors: errors.trim(),
  };
}

describe('a shop whose every text is an attack', () => {
  const ends: (() => void)[] = [];
  let building: ReturnType<typeof buildHostileShop> | undefined;
  const shop = (): ReturnType<typeof buildHostileShop> => {
    building ??= buildHostileShop((end) => void ends.push(end));
    return building;
  };
  afterAll(() => {
    for (const end of ends) end();
  });

  test('[spec 2.header.2, 2.home.5, 2.home.7, 2.home.9] [fault 50] [fault 59] odd categories keep their names and places, and get a placeholder where the picture is no address', async () => {
    const { pageOf } = await shop();
    const home = pageOf('index.html');
    expect(texts(home, 'header .logo-name')).toEqual([COMPANY]);
    expect(texts(home, '.category-name')).toEqual(HOSTILE_STORE.categories);
    expect(home.querySelectorAll('.categories.categories-2 .panel-placeholder')).toHaveLength(2);
    const [address] = [...home.querySelectorAll('.categories a')].map(
      (link) => link.getAttribute('href') ?? '',
    );
    expect(new URL(address ?? '', 'https://shop.example').searchParams.get('category')).toBe('a&b/100% 🍊');
  });

  test('[fault 47, 49, 50] no page contains code or an address that came from one of its texts', async () => {
    const { files, pageOf } = await shop();
    const pages = files.filter((file) => file.endsWith('.html'));
    expect(pages).toEqual(expect.arrayContaining(['404.html', 'products.html', 'search.html', 'terms.html']));
    for (const file of pages) {
      const page = pageOf(file);
      expect.soft(dangersOf(page), file).toEqual([]);
      expect
        .soft(
          codeOf(page).filter((code) => /pwned|^\*\{display:none\}$/.test(code)),
          file,
        )
        .toEqual([]);
    }
    const harmless = codeOf(pageOf('product/harmless.html'));
    expect(harmless.length).toBeGreaterThan(0);
    for (const { file } of HOSTILE_PRODUCTS) expect.soft(codeOf(pageOf(file)), file).toEqual(harmless);
    for (const slug of ['terms', 'privacy', 'refund']) {
      expect.soft(codeOf(pageOf(`${slug}.html`)), slug).toEqual(codeOf(pageOf('about.html')));
    }
  });

  test('[fault 47] every page shows the texts as they are', async () => {
    const { pageOf } = await shop();
    for (const { file, textAt } of HOSTILE_PRODUCTS) {
      const page = pageOf(file);
      expect.soft(texts(page, '.product h1'), file).toEqual([flat(textAt(0))]);
      expect.soft(texts(page, '.product-text p'), file).toEqual([flat(textAt(1))]);
      expect.soft(flat(page.title), file).toContain(flat(textAt(0)));
      expect.soft(texts(page, '.specs dt'), file).toContain(flat(`pH ${textAt(8)}`));
    }
    const names = HOSTILE_PRODUCTS.slice(0, PAGE_SIZE).map(({ textAt }) => flat(textAt(0)));
    expect(texts(pageOf('products.html'), '.card-name')).toEqual(names);
    for (const file of ['index.html', 'products.html', 'search.html', '404.html', 'refund.html']) {
      expect(texts(pageOf(file), 'footer address').join(), file).toContain(ADDRESS);
    }
    expect(texts(pageOf('refund.html'), '.policy-text').join()).toContain(COMPANY);
  });

  test('[fault 48] the structured data of a product parses to the texts it was made of', async () => {
    const { pageOf } = await shop();
    for (const { file, textAt } of HOSTILE_PRODUCTS) {
      const expected = { name: textAt(0).trim(), description: textAt(1), category: flat(textAt(2)) };
      expect.soft(structuredData(pageOf(file))[0], file).toMatchObject(expected);
    }
  });

  test('[fault 48, 50] so does the structured data of the shop, and it has no logo whose address is not one', async () => {
    const { pageOf } = await shop();
    const [data] = structuredData(pageOf('index.html'));
    expect(data).toMatchObject({ name: COMPANY, address: ADDRESS });
    expect(data).not.toHaveProperty('logo');
  });

  test('[fault 61] a policy that the shop does not know becomes no page, whatever its name', async () => {
    const { folder, files, read } = await shop();
    expect(readdirSync(folder)).toEqual(['dist']);
    expect(files).toEqual(expect.arrayContaining(['login.html', 'index.html', 'product/harmless.html']));
    expect(files.filter((file) => read(file).includes(UNKNOWN_POLICY))).toEqual([]);
    expect(files.filter((file) => /not-a-policy|constructor|__proto__/.test(file))).toEqual([]);
  });

  test('[fault 64] a product without a price says so, and the build warns of nothing else', async () => {
    const { errors, pageOf } = await shop();
    expect(errors).toBe("[catalogue] product 'priceless' ('Mango 1') has no price and cannot be bought");
    expect(texts(pageOf('product/priceless.html'), '.product-info').join()).toContain('Price unavailable');
  });
});

const manyOf = (words: string): string[] =>
  Array.from({ length: 5_000 }, (_, index) => `${index}${words.repeat(100)}`);

test('[fault 62, 92] a shop with too much of everything has no page over 100 KB, and /api-test can be left out', async () => {
  const dist = join(temporaryFolder(), 'dist');
  const api = await startStubApi(1);
  const long = manyOf(' आम');
  api.store = {
    ...api.store,
    categories: long,
    categoryImages: Object.fromEntries(long.map((name) => [name, ''])),
  };
  const withMuchOf = (words: string, index: number) => ({
    ...wireProduct(index),
    title: words.repeat(20_000),
    category: words.repeat(20_000),
    description: words.repeat(200_000),
    attributes: manyOf(words).map((value, at) => ({
      key: ['size', 'colour', `${at}${words.repeat(50)}`][at % 3],
      values: [value],
    })),
  });
  const words = [' word', ' आम', '<&"', '🥭'];
  api.products = words.map(withMuchOf);
  const others = Array.from({ length: 400 }, (_, index) => ({
    ...wireProduct(index + words.length),
    title: `${index} ${'आम '.repeat(200)}`,
    category: `${index} ${'फल '.repeat(200)}`,
    parentCategory: `${index} ${index % 2 ? 'फल' : 'fruit '.repeat(10)}`,
  }));
  api.products.push(...others);
  const { status, errors } = await build(dist, api.url, { PUBLIC_API_TEST: 'false' });
  expect([status, errors]).toEqual([0, '']);

  const pages = (await listFiles(dist)).filter((file) => file.endsWith('.html'));
  expect(pages).toEqual(expect.arrayContaining(words.map((_, index) => `product/p${index}.html`)));
  expect(pages.filter((page) => statSync(join(dist, page)).size > 100 * 1024)).toEqual([]);
  expect(pages).not.toContain('api-test.html');
});
