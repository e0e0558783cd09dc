// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import { readOwnOrder } from '#stores/orders/own-order.ts';
import { fakeApi, wireOrder } from '#tests/unit/stores/support/fake-api.ts';

const NEXT = { headers: { Link: '</api/v1/orders?after=x>; rel="next"' } };

afterEach(() => void vi.unstubAllGlobals());

it('[fault 130] an older order is looked for on the pages that follow', async () => {
  const answers = [Response.json([wireOrder()], NEXT), Response.json([wireOrder({ id: 'old' })])];
  const api = fakeApi({ 'GET orders': () => answers.shift() ?? Response.error() });
  expect(await readOwnOrder('old')).toMatchObject({ id: 'old' });
  expect(api.calls()).toHaveLength(2);
});

it('is unknown after the last page, also where the pages never end', async () => {
  fakeApi({ 'GET orders': () => Response.json([wireOrder()]) });
  expect(await readOwnOrder('old')).toBe('unknown');
  const api = fakeApi({ 'GET orders': () => Response.json([wireOrder()], NEXT) });
  expect(await readOwnOrder('old')).toBe('unknown');
  expect(api.calls()).toHaveLength(100);
});
