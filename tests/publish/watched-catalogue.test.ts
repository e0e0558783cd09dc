import { expect, onTestFinished, test, vi } from 'vitest';
import { shortDigest } from '#catalogue/digest.ts';
import { differencesTo, sourceVersion } from '#scripts/publish/watch/catalogue.ts';
import { startApi } from '#server/app/start.ts';
import { productDto, startStubApi } from './support/stub-catalogue.ts';

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
