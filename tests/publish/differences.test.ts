import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { shortDigest } from '#catalogue/digest.ts';
import { differencesTo } from '#scripts/publish/watch/differences.ts';
import { answerStub, stubCatalogue, wireProduct } from './support/stub-catalogue.ts';

async function apiWith(ids: readonly string[]): Promise<string> {
  const catalogue = stubCatalogue(0);
  catalogue.products = ids.map((id) => ({ ...wireProduct(0), id }));
  const server = createServer((request, response) => answerStub(catalogue, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/api/v1`;
}

const liveWith = (ids: readonly string[]) => ({
  hash: '',
  shop: '',
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
