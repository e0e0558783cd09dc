// @vitest-environment jsdom
import { cleanStores } from 'nanostores';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { fetchOrders } from '#api/orders.ts';
import { fetchOwnOrder } from '#stores/orders/own-order.ts';
import { left, signIn } from '#tests/unit/stores/support/browser.ts';
import { deferred, fakeApi, orderDto } from '#tests/unit/stores/support/fake-api.ts';

async function openPage() {
  vi.resetModules();
  const { $orders, loadOrders, showMoreOrders } = await import('#stores/orders/order-list.ts');
  const { $toasts } = await import('#stores/shell/toasts.ts');
  $orders.listen(() => {});
  onTestFinished(() => cleanStores($orders));
  const settled = () => expect.poll(() => $orders.get().status).not.toBe('loading');
  return { $orders, $toasts, loadOrders, showMoreOrders, settled };
}

beforeEach(() => signIn());

it('[spec 2.orders.11] adds older orders once, and keeps the list if they cannot be loaded', async () => {
  const next = (path: string) => ({ headers: { Link: `<${path}>; rel="next"` } });
  const answers = [
    () => Response.json([orderDto()], next('/api/v1/orders?after=order-1')),
    () => Response.json({ error: 'Busy' }, { status: 404 }),
    () =>
      Response.json(
        [orderDto(), orderDto({ id: 'order-2' })],
        next('https://evil.example/api/v1/orders?after=x'),
      ),
  ];
  const api = fakeApi({ 'GET orders': () => answers.shift()?.() ?? Response.error() });
  const page = await openPage();
  await page.settled();
  expect(page.$orders.get()).toMatchObject({ next: '?after=order-1' });
  await page.showMoreOrders();
  expect(page.$orders.get()).toMatchObject({
    status: 'loaded',
    orders: [{ id: 'order-1' }],
    next: '?after=order-1',
  });
  expect(page.$toasts.get()).toMatchObject([{ title: 'Error' }]);
  await page.showMoreOrders();
  // The address of another origin is not followed.
  expect(page.$orders.get()).toEqual({
    status: 'loaded',
    orders: [expect.objectContaining({ id: 'order-1' }), expect.objectContaining({ id: 'order-2' })],
  });
  await page.showMoreOrders();
  expect(api.calls()).toHaveLength(3);
});

it('My Orders load again when the network is back after a failure', async () => {
  let isOnline = false;
  const api = fakeApi({
    'GET orders': () => {
      if (!isOnline) throw new TypeError('Failed to fetch');
      return Response.json([orderDto()]);
    },
  });
  const page = await openPage();
  await page.settled();
  expect(page.$orders.get()).toEqual({ status: 'failed' });
  const tries = api.calls().length;
  isOnline = true;
  dispatchEvent(new Event('online'));
  await page.settled();
  expect(page.$orders.get()).toMatchObject({ status: 'loaded' });
  dispatchEvent(new Event('online'));
  expect(api.calls()).toHaveLength(tries + 1);
});

it('[spec 4.auth.4, 4.auth.5] a 401 ends the session, deletes the token and opens the sign-in without a toast', async () => {
  fakeApi({ 'GET orders': () => Response.json({ error: 'Signed out' }, { status: 401 }) });
  const page = await openPage();
  await expect.poll(() => left).toEqual(['/login']);
  expect(document.cookie).toBe('');
  expect(page.$toasts.get()).toEqual([]);
  expect(page.$orders.get()).toEqual({ status: 'loading' });
});

it('after a 401 for a token that another tab has replaced, loads again with the new token', async () => {
  const api = fakeApi({
    'GET orders': () => {
      const isFirst = api.calls().length === 1;
      signIn('token-2');
      return isFirst ? Response.json({}, { status: 401 }) : Response.json([orderDto()]);
    },
  });
  const page = await openPage();
  await page.settled();
  expect(page.$orders.get()).toMatchObject({ status: 'loaded', orders: [{ id: 'order-1' }] });
  expect(page.$toasts.get()).toEqual([]);
  expect(left).toEqual([]);
});

it('My Orders are hidden when the page is left, also if a response arrives later', async () => {
  const late = deferred();
  const answers = [() => Response.json([orderDto()]), late.answer];
  const api = fakeApi({ 'GET orders': () => answers.shift()?.() ?? Response.json([]) });
  const page = await openPage();
  await page.settled();
  dispatchEvent(new Event('pagehide'));
  expect(page.$orders.get()).toEqual({ status: 'loading' });
  const load = page.loadOrders();
  await expect.poll(() => api.calls()).toHaveLength(2);
  dispatchEvent(new Event('pagehide'));
  late.respond(Response.json([orderDto()]));
  await load;
  expect(page.$orders.get()).toEqual({ status: 'loading' });
  expect(page.$toasts.get()).toEqual([]);
});

const NEXT = { headers: { Link: '</api/v1/orders?after=x>; rel="next"' } };

it('the look-up of an own order finds an older order on a later page', async () => {
  const answers = [Response.json([orderDto()], NEXT), Response.json([orderDto({ id: 'old' })])];
  const api = fakeApi({ 'GET orders': () => answers.shift() ?? Response.error() });
  expect(await fetchOwnOrder('old', fetchOrders)).toMatchObject({ id: 'old' });
  expect(api.calls()).toHaveLength(2);
});

it('the look-up of an own order returns unknown after the last page, or after 100 pages that never end', async () => {
  fakeApi({ 'GET orders': () => Response.json([orderDto()]) });
  expect(await fetchOwnOrder('old', fetchOrders)).toBe('unknown');
  const api = fakeApi({ 'GET orders': () => Response.json([orderDto()], NEXT) });
  expect(await fetchOwnOrder('old', fetchOrders)).toBe('unknown');
  expect(api.calls()).toHaveLength(100);
});
