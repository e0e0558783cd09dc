import { expect, onTestFinished, test, vi } from 'vitest';
import { shortDigest } from '#catalogue/digest.ts';
import { publish } from '#scripts/publish/publish.ts';
import { readManifest } from '#scripts/publish/release/manifest.ts';
import { differencesTo, sourceVersion } from '#scripts/publish/watch/catalogue.ts';
import { startWatcher } from '#scripts/publish/watch/start-watcher.ts';
import { startApi } from '#server/app/start.ts';
import { saveProduct } from '#server/catalogue/products/edit-products.ts';
import { storedProducts } from '#server/catalogue/stored-products.ts';
import { currentRelease } from '#server/process/publishing.ts';
import { productDto, startStubApi } from './support/stub-catalogue.ts';
import { temporaryFolder } from './support/temporary-folder.ts';
import { tinyBuild, tinyShop } from './support/tiny-site.ts';

async function apiWith(ids: readonly string[]): Promise<string> {
  const api = await startStubApi(0);
  api.products = ids.map((id) => ({ ...productDto(0), id }));
  return `${api.url}/api/v1`;
}

const liveWith = (ids: readonly string[]) => ({
  hash: '',
  shop: '',
  store: {},
  siteUrl: '',
  products: Object.fromEntries(ids.map((id) => [id, { name: 'Mango 0', price: 100, hash: '' }])),
  order: shortDigest(ids),
  dropped: 0,
});

test.each([
  { live: ['a', 'b'], now: ['b', 'a'], isReordered: true },
  { live: ['a', 'b'], now: ['a', 'b'], isReordered: false },
  { live: ['2', '10'], now: ['10', '2'], isReordered: true },
  { live: ['10', '2'], now: ['10', '2'], isReordered: false },
  { live: ['10', '2'], now: ['10', '2', '3'], isReordered: false },
])('from $live to $now is another order: $isReordered', async ({ live, now, isReordered }) => {
  expect((await differencesTo(liveWith(live), await apiWith(now))).isReordered).toBe(isReordered);
});

test('revalidates an unchanged catalogue by its ETags, and notices a price of the last page', async () => {
  const api = await startApi();
  onTestFinished(api.close);
  const statuses: number[] = [];
  const note = ({ response }: { response: Response }) => void statuses.push(response.status);
  const source = sourceVersion(`${api.url}/api/v1`, { hooks: { afterResponse: [note] } });
  const first = await source();
  const requests = statuses.length;
  expect(statuses).toEqual(Array(requests).fill(200));
  expect(await source()).toBe(first);
  expect(statuses.slice(requests)).toEqual(Array(requests).fill(304));
});

const json = (body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { headers });

test.each([
  ['count', { count: 250 }],
  ['pagination.total', { pagination: { total: 250 }, count: 1 }],
])('without ETags compares the answers themselves, of all pages that %s implies', async (_, counts) => {
  let price = 1;
  vi.stubGlobal('fetch', async ({ url }: Request) => {
    const page = Number(new URL(url).searchParams.get('page'));
    return json({ data: page === 3 ? [price] : [], ...counts });
  });
  const source = sourceVersion('http://api/api/v1');
  const first = await source();
  expect(await source()).toBe(first);
  price = 2;
  expect(await source()).not.toBe(first);
});

test('fails when the API fails, and names the address', async () => {
  vi.stubGlobal('fetch', async () => new Response('', { status: 503 }));
  const source = sourceVersion('http://api/api/v1');
  await expect(source()).rejects.toThrow('503: GET http://api/api/v1/products?page=1&limit=100');
});

const BEFORE = Date.parse('2026-11-25T12:00Z');
const IN = Date.parse('2026-11-25T13:00Z');
const AFTER = Date.parse('2026-11-25T14:00Z');

/** A shop whose first product costs ₹100, and ₹70 between two moments; a watcher that can be started again. */
async function plannedShop(interval: number) {
  let now = BEFORE;
  const api = await startApi({ host: '127.0.0.1', clock: () => now });
  onTestFinished(api.close);
  const [first] = await storedProducts(api.db);
  const product = first?.product ?? expect.fail();
  await api.db.write((transaction) =>
    saveProduct(transaction, product.id, {
      ...product,
      regularPrice: 100,
      discountedPrice: 70,
      saleFrom: '2026-11-25T18:15+05:30',
      saleUntil: '2026-11-25T19:15+05:30',
    }),
  );
  const { id } = product;
  const root = temporaryFolder();
  const env = { PUBLIC_API_HOST: api.url, PRECOMPRESS: 'false' };
  const built: number[] = [];
  /** Runs between the build's reading of the catalogue and its end. */
  let meanwhile = (): void => {};
  const release = {
    root,
    env,
    build: async (...[directory, options]: Parameters<ReturnType<typeof tinyBuild>>) => {
      const response = await fetch(`${api.url}/api/v1/products/${product.id}`);
      const { data } = await response.json();
      const price = data.discountedPrice ?? data.regularPrice;
      built.push(price);
      meanwhile();
      const products = [{ id: product.id, name: 'Mango', price }];
      return tinyBuild({ ...tinyShop(), products })(directory, options);
    },
  };
  const livePrice = async () => {
    const { products } = (await readManifest(root, currentRelease(root))) ?? {};
    return products?.[id]?.price;
  };
  const watch = async () => {
    const watcher = await startWatcher({
      root,
      token: undefined,
      host: '127.0.0.1',
      port: 0,
      interval,
      env,
      log: () => {},
      publish: (options) => publish({ ...release, ...options }),
    });
    onTestFinished(watcher.close);
    return watcher;
  };
  const showsLive = (price: number) => expect.poll(livePrice).toBe(price);
  await publish(release);
  expect(await livePrice()).toBe(100);
  return {
    watch,
    built,
    showsLive,
    pass: (moment: number) => {
      now = moment;
    },
    atNextBuild: (work: () => void) => {
      meanwhile = work;
    },
  };
}

test('the watcher publishes when a sale begins and when it ends, even during a build', async () => {
  const { watch, showsLive, pass, atNextBuild, built } = await plannedShop(0.05);
  await watch();
  pass(IN);
  await showsLive(70);
  pass(BEFORE);
  await showsLive(100);
  atNextBuild(() => pass(AFTER));
  pass(IN);
  await expect.poll(() => built).toEqual([100, 70, 100, 70, 100]);
  await showsLive(100);
});

test.each([0, 86_400])(
  'a sale that began or ended while no watcher ran is published by the next one, with an interval of %d s',
  async (interval) => {
    const { watch, showsLive, pass } = await plannedShop(interval);
    for (const [moment, price] of [
      [IN, 70],
      [AFTER, 100],
    ] as const) {
      pass(moment);
      const watcher = await watch();
      await showsLive(price);
      await watcher.close();
    }
  },
);

test('a sale that ended during the last build of a watcher is published by the next watcher', async () => {
  const { watch, showsLive, pass, atNextBuild } = await plannedShop(86_400);
  atNextBuild(() => pass(AFTER));
  pass(IN);
  const watcher = await watch();
  await showsLive(70);
  await watcher.close();
  await watch();
  await showsLive(100);
});
