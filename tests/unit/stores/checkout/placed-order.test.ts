// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { signIn } from '#tests/unit/stores/support/browser.ts';
import { fakeApi, orderDto } from '#tests/unit/stores/support/fake-api.ts';

// No time limit passes.
vi.mock('#stores/shell/pause.ts', () => ({ pause: () => new Promise(() => {}) }));

let stop = (): void => {};

async function watch(answers: Parameters<typeof fakeApi>[0]) {
  vi.resetModules();
  fakeApi(answers);
  const { $placedOrder, watchPlacedOrder } = await import('#stores/checkout/placed-order.ts');
  stop = watchPlacedOrder('order-1');
  return $placedOrder;
}

beforeEach(signIn);

afterEach(() => stop());

it('is loaded again each time the page is shown', async () => {
  let status = 0;
  const placed = await watch({ 'GET orders': () => Response.json([orderDto({ status })]) });
  await expect.poll(() => placed.get()).toMatchObject({ status: 0 });
  status = 1;
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  await expect.poll(() => placed.get()).toMatchObject({ status: 1 });
});

it.each([
  ['it is not in the list of orders', () => Response.json([])],
  ['the API refuses', () => Response.json({}, { status: 404 })],
])('is unknown when %s', async (_, answer) => {
  const placed = await watch({ 'GET orders': answer });
  await expect.poll(() => placed.get()).toBe('unknown');
});
