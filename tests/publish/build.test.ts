import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { JSDOM } from 'jsdom';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { changesBetween } from '#scripts/publish/release/changes.ts';
import { fingerprint } from '#scripts/publish/release/manifest.ts';
import { build, copyOfTheShop, linkPackages, type Run, readBuilt } from './support/run.ts';
import { productDto, startStubApi } from './support/stub-catalogue.ts';
import { endOfGroup, temporaryFolder } from './support/temporary-folder.ts';

const NOBODY = 'http://127.0.0.1:9';

describe('a build that cannot read the catalogue', () => {
  test('names the endpoint, without a stack, and restores the site that a killed build had moved away', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, '.dist.old'));
    writeFileSync(join(folder, '.dist.old', 'index.html'), 'the old site');
    mkdirSync(join(folder, '.dist.next'));
    const { status, errors } = await build(join(folder, 'dist'), NOBODY);
    expect(status).toBe(1);
    expect(errors.trim()).toBe(
      `The catalogue could not be read: GET ${NOBODY}/api/v1/storeInfo no answer (is the API running?). Nothing was published. Set PUBLIC_API_HOST to the address of the API and build again.`,
    );
    expect(readFileSync(join(folder, 'dist/index.html'), 'utf8')).toBe('the old site');
    expect(readdirSync(folder)).toEqual(['dist']);
  });
});

test('refuses a build for production before it begins if its pages would make claims of the demo shop', async () => {
  const folder = temporaryFolder();
  const api = await startStubApi(1);
  const onPage = vi.spyOn(api, 'onPage');
  const { status, errors } = await build(join(folder, 'dist'), api.url, { NODE_ENV: 'production' });
  expect(status).toBe(1);
  for (const text of ['what is not true', 'https://freshfruits.example', "'Anjali Deshmukh'"])
    expect(errors).toContain(text);
  expect(onPage).not.toHaveBeenCalled();
  expect(readdirSync(folder)).toEqual([]);
});

/** Makes a product's page log when it is rendered instead of reused. */
function logRendered(shop: string): void {
  const page = join(shop, 'src/pages/product/[id].astro');
  const code = readFileSync(page, 'utf8');
  writeFileSync(page, code.replace('const trail =', "console.info('rendered:', id);\nconst trail ="));
}

describe('a plain shop, the same with another price, and once more after a killed build', () => {
  const PRODUCTS = 40;
  const CANARY = 'canary-7c1e5b';
  const SECRETS = Object.fromEntries(
    ['REBUILD_TOKEN', 'METRICS_TOKEN', 'DATABASE', 'SECRET'].map((name) => [name, `${CANARY}-${name}`]),
  );

  let apiUrl: string;
  let folder: string;
  let first: Run;
  let second: Run;
  const at = (name: string): string => join(folder, name);
  const textOf = (file: string): string => readFileSync(join(folder, 'plain', file), 'utf8');
  const renderedIn = ({ output, errors }: Run): number =>
    (output + errors).match(/rendered: p/g)?.length ?? 0;

  const atEnd = endOfGroup();
  beforeAll(async () => {
    const api = await startStubApi(PRODUCTS, atEnd);
    apiUrl = api.url;
    folder = temporaryFolder(atEnd);
    const shop = copyOfTheShop(atEnd);
    linkPackages(shop);
    logRendered(shop);
    for (const file of ['.env.local', '.env.production'])
      writeFileSync(join(shop, file), 'PUBLIC_API_TEST=false\n');
    writeFileSync(join(shop, '.env'), 'PUBLIC_IDEMPOTENCY_KEYS=false\nPUBLIC_ORDER_LINES=false\n');
    const buildInto = (name: string, env = {}) => build(at(name), api.url, { ...SECRETS, ...env }, shop);

    api.store = { categoryImages: { default: 'https://cdn.example/any.webp' } };
    api.products[3] = { ...productDto(3), regularPrice: -1 };
    first = await buildInto('plain');
    api.products[30] = { ...productDto(30), regularPrice: 4321 };
    api.store = { ...api.store, capabilities: ['idempotencyKeys', 'orderLines'] };
    second = await buildInto('rebuilt');
    // This build is killed after it wrote pages that show another price, but before Astro wrote its list of pages.
    api.products[10] = { ...productDto(10), regularPrice: 5432 };
    const preload = new URL('support/die-at.ts', import.meta.url).href;
    const die = { NODE_OPTIONS: `--import=${preload}`, DIE_AT: 'product/p10.html' };
    expect((await buildInto('killed', die)).status).toBe(1);
    api.products[10] = productDto(10);
    await buildInto('again');
  });

  test('is complete, without the broken product and without any secret', async () => {
    expect(first.status, first.errors).toBe(0);
    const { dictionary } = JSON.parse(textOf('build-info.json'));
    expect(textOf(dictionary)).toContain(textOf('index.html'));
    expect(first.errors).toMatch(
      /\[catalogue\] products\?page=1&limit=100 data\[3\] left out: .*regularPrice/,
    );
    const { files } = await readBuilt(at('plain'));
    expect(files).not.toContain('product/p3.html');
    expect(files).toContain('product/p4.html');
    expect(first.output + first.errors).not.toContain(CANARY);
    for (const file of files) expect(textOf(file), file).not.toContain(CANARY);
    expect(textOf('sitemap.xml')).toContain('/product/p4</loc>');
    // The early requests of a page's head go to the same address as all others.
    expect(textOf('cart.html')).toContain(`\`${apiUrl}\``);
    expect(readdirSync(folder).sort()).toEqual(['again', 'plain', 'rebuilt']);
  });

  test('takes settings from .env, never from a file that only Vite would read', () => {
    expect(existsSync(join(folder, 'plain/api-test.html'))).toBe(true);
  });

  test('[spec 3.offers.2] rebuilds exactly the files that show the change, and uses no capability that a setting refuses', async () => {
    const [before, after] = await Promise.all(['plain', 'rebuilt'].map((name) => fingerprint(at(name))));
    const { written, deleted } = changesBetween(
      { products: {}, files: before ?? {} },
      { products: {}, files: after ?? {} },
    );
    expect(deleted).toEqual([]);
    expect(written).toContain('product/p30.html');
    for (const file of written)
      expect(readFileSync(join(at('rebuilt'), file), 'utf8'), file).toMatch(/4,?321/);
    expect(renderedIn(first)).toBe(PRODUCTS - 1);
    expect(renderedIn(second)).toBe(written.filter((file) => file.startsWith('product/')).length);
  });

  test('reuses no page of a build that was killed, and writes the same pages without reuse', async () => {
    expect(await fingerprint(at('again'))).toEqual(await fingerprint(at('rebuilt')));
  });

  test('[spec 3.offers.1, 2.payment.8] sends and shows nothing of capabilities that its API lacks', async () => {
    const { scripts } = await readBuilt(at('plain'));
    for (const word of ['returnUntil', 'Idempotency-Key'])
      expect(
        scripts.filter((script) => textOf(script).includes(word)),
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
});
