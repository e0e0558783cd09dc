import { expect, onTestFinished, test } from 'vitest';
import { startApi } from '#scripts/api/app/start.ts';
import { sourceWatch } from '#scripts/publish/release/source-version.ts';

test('asks for an unchanged catalogue by its ETags, and notices a price of the last page', async () => {
  const api = await startApi();
  onTestFinished(api.close);
  const statuses: number[] = [];
  const source = sourceWatch(`${api.url}/api/v1`, async (address, init) => {
    const response = await fetch(address, init);
    statuses.push(response.status);
    return response;
  });
  const first = await source.version();
  const requests = statuses.length;
  expect(statuses).toEqual(Array(requests).fill(200));
  expect(await source.version()).toBe(first);
  expect(statuses.slice(requests)).toEqual(Array(requests).fill(304));
});

const json = (body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { headers });

test.each([
  ['count', { count: 250 }],
  ['pagination.total', { pagination: { total: 250 }, count: 1 }],
])('without ETags compares the answers themselves, of all pages that %s implies', async (_, counts) => {
  let price = 1;
  const source = sourceWatch('http://api/api/v1', async (address) => {
    const page = Number(new URL(address).searchParams.get('page'));
    return json({ data: page === 3 ? [price] : [], ...counts });
  });
  const first = await source.version();
  expect(await source.version()).toBe(first);
  price = 2;
  expect(await source.version()).not.toBe(first);
});

test('fails when the API fails, and names the address', async () => {
  const source = sourceWatch('http://api/api/v1', async () => new Response('', { status: 503 }));
  await expect(source.version()).rejects.toThrow('GET http://api/api/v1/storeInfo answered 503');
});
