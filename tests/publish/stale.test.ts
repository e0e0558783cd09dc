import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { listFiles } from '#scripts/publish/site/built-pages.ts';
import { treeHash } from './support/run.ts';
import { type StubApi, startStubApi, wireProduct } from './support/stub-catalogue.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PARTS = [
  'src',
  'public',
  'scripts',
  'package.json',
  'package-lock.json',
  'astro.config.mjs',
  'tsconfig.json',
];

/** A copy of the shop with its own cache, whose code the test may change. */
function copyOfTheShop(): string {
  const shop = temporaryFolder();
  for (const part of PARTS) cpSync(join(ROOT, part), join(shop, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(shop, 'node_modules'));
  return shop;
}

interface Built {
  readonly output: string;
  /** The files of the pages that contain the text. */
  readonly pagesWith: (text: string) => Promise<string[]>;
}

/** Returns a function that builds the shop. Any other exit status than the expected one fails the test. */
function builder(shop: string, api: StubApi, expected: { status: number } = { status: 0 }) {
  const dist = join(shop, 'dist');
  return async (settings: Record<string, string> = {}, ...args: string[]): Promise<Built> => {
    const child = spawn(process.execPath, [join(shop, 'scripts/build.ts'), ...args], {
      cwd: shop,
      env: { ...process.env, OUT_DIR: dist, PUBLIC_API_HOST: api.url, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [output, errors] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    expect(child.exitCode, output + errors).toBe(expected.status);
    return {
      output: output + errors,
      async pagesWith(text) {
        const pages = (await listFiles(dist)).filter((file) => file.endsWith('.html'));
        return pages.filter((file) => readFileSync(join(dist, file), 'utf8').includes(text));
      },
    };
  };
}

/** Lets the page of a product say when it is drawn, which it does not do when it is reused. */
function tellWhenDrawn(shop: string): void {
  const page = join(shop, 'src/pages/product/[id].astro');
  const code = readFileSync(page, 'utf8');
  writeFileSync(page, code.replace('const trail =', "console.info('drawn:', id);\nconst trail ="));
}

const drawnIn = ({ output }: Built): number => output.match(/drawn: p/g)?.length ?? 0;

const picture = (color: string): Promise<Buffer> =>
  sharp({ create: { width: 300, height: 300, channels: 3, background: color } })
    .png()
    .toBuffer();

const PRODUCTS = 14;
const inCategory = (index: number): Record<string, unknown> => ({
  ...wireProduct(index),
  category: index < 7 ? 'Berries' : 'Mangoes',
});

test('no page of an earlier build is reused once something that it shows has changed', async () => {
  const api = await startStubApi(PRODUCTS);
  api.products = api.products.map((_, index) => inCategory(index));
  api.products[1] = { ...inCategory(1), imgUrl: `${api.url}/picture.png` };
  api.pictures.set('/picture.png', await picture('red'));
  const shop = copyOfTheShop();
  tellWhenDrawn(shop);
  const build = builder(shop, api);
  const productPages = Array.from({ length: PRODUCTS }, (_, index) => `product/p${index}.html`).sort();
  await build();

  const unchanged = await build();
  expect(drawnIn(unchanged)).toBe(0);

  // A product changes its own page, and the pages of its category, which show it as related. A picture changes, but not
  // its address.
  const page = (): string => readFileSync(join(shop, 'dist/product/p1.html'), 'utf8');
  const oldPicture = /_astro\/img\/[\da-f]+/.exec(page())?.[0] ?? 'no picture';
  expect(await unchanged.pagesWith(oldPicture), unchanged.output).toContain('product/p1.html');
  api.products[2] = { ...inCategory(2), title: 'Renamed Berry' };
  api.pictures.set('/picture.png', await picture('blue'));
  const renamed = await build();
  expect(await renamed.pagesWith('Mango 2<')).toEqual([]);
  const showing = await renamed.pagesWith('Renamed Berry');
  expect(showing).toContain('product/p2.html');
  expect(showing.filter((file) => file.startsWith('product/')).length).toBeGreaterThan(1);
  expect(await renamed.pagesWith(oldPicture)).toEqual([]);
  expect(drawnIn(renamed)).toBeGreaterThan(0);
  expect(drawnIn(renamed)).toBeLessThan(PRODUCTS);

  // The store record, a policy and a category.
  expect(await renamed.pagesWith('98765 43210')).toEqual(expect.arrayContaining(productPages));
  api.store = { ...api.store, companyPhone: '+91 11111 22222', categories: ['Mangoes'] };
  api.store.policies = { terms: '<p>Other terms.</p>' };
  const restocked = await build();
  expect(await restocked.pagesWith('98765 43210')).toEqual([]);
  expect(await restocked.pagesWith('Other terms.')).toContain('terms.html');
  expect(await restocked.pagesWith('/products?category=mangoes')).toEqual(
    expect.arrayContaining(productPages),
  );

  // The code of the markup and of a shared script, whose name changes on every page; and the API offers more.
  const breadcrumbs = join(shop, 'src/components/Breadcrumbs.astro');
  writeFileSync(
    breadcrumbs,
    readFileSync(breadcrumbs, 'utf8').replace('<ol', '<ol data-lines={String(__OFFERS__.orderLines)}'),
  );
  api.store = { ...api.store, offers: ['orderLines'] };
  const scriptsBefore = await listFiles(join(shop, 'dist/_astro'));
  const edits = join(shop, 'src/stores/cart/cart-edits.ts');
  writeFileSync(edits, readFileSync(edits, 'utf8').replace('removeProduct(cart, id)', 'cart'));
  const rescripted = await build();
  expect(await rescripted.pagesWith('data-lines="true"')).toEqual(expect.arrayContaining(productPages));
  const scripts = new Set(await listFiles(join(shop, 'dist/_astro')));
  const gone = scriptsBefore.filter((script) => !scripts.has(script));
  expect(gone.length).toBeGreaterThan(1);
  for (const script of gone) expect(await rescripted.pagesWith(`/_astro/${script}`), script).toEqual([]);

  // Another version of a package.
  appendFileSync(join(shop, 'package-lock.json'), '\n');
  expect(drawnIn(await build())).toBe(PRODUCTS);

  // A build that reuses pages writes the same files as one that reuses none.
  api.products[3] = { ...inCategory(3), regularPrice: 4321 };
  await build();
  const reused = await treeHash(join(shop, 'dist'));
  await build({}, '--fresh');
  expect(await treeHash(join(shop, 'dist'))).toBe(reused);
}, 240_000);

test('[fault 81] a build after one that was killed reuses none of its pages', async () => {
  const api = await startStubApi(3);
  const shop = copyOfTheShop();
  const build = builder(shop, api);
  await build();
  // The build is killed after it wrote the page with the new price, but before Astro wrote its list of pages.
  api.products[1] = { ...wireProduct(1), regularPrice: 4321 };
  const preload = new URL('support/die-at.ts', import.meta.url).href;
  const buildAndDie = builder(shop, api, { status: 1 });
  await buildAndDie({ NODE_OPTIONS: `--import=${preload}`, DIE_AT: 'product/p2.html' });
  api.products[1] = wireProduct(1);
  expect(await (await build()).pagesWith('4,321')).toEqual([]);
}, 120_000);

test('settings come from the environment and from .env, never from a file that only Vite would read', async () => {
  const api = await startStubApi(1);
  const shop = copyOfTheShop();
  const build = builder(shop, api);
  for (const file of ['.env.local', '.env.production'])
    writeFileSync(join(shop, file), 'PUBLIC_API_TEST=false\n');
  expect(await (await build()).pagesWith('<title>')).toContain('api-test.html');
  writeFileSync(join(shop, '.env'), 'PUBLIC_API_TEST=false\n');
  const pages = await (await build()).pagesWith('<title>');
  expect(pages).toContain('index.html');
  expect(pages).not.toContain('api-test.html');
});
