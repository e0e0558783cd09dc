// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { left, signIn } from '#tests/unit/stores/support/browser.ts';
import { fakeApi, orderDto } from '#tests/unit/stores/support/fake-api.ts';

let status = 0;
let stop = (): void => {};
let visibility = 'visible';

const setVisibility = (state: 'visible' | 'hidden'): void => {
  visibility = state;
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
};

async function openQr() {
  vi.resetModules();
  const api = fakeApi({ 'GET orders': () => Response.json([orderDto({ status })]) });
  const { $payment, $orderToPay } = await import('#stores/payment/payment.ts');
  const watch = await import('#stores/payment/payment-watch.ts');
  // Loads the client before the test advances the clock.
  await import('#api/orders.ts');
  $orderToPay.set({ id: 'order-1' });
  $payment.set({ view: 'qr', handover: { text: 'upi://pay' }, validUntil: Date.now() + 300_000 });
  stop = watch.watchPayment();
  return { ...watch, $payment, requestCount: () => api.calls().length };
}

beforeEach(() => {
  vi.useFakeTimers();
  status = 0;
  visibility = 'visible';
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(
    () => visibility as DocumentVisibilityState,
  );
  signIn();
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

const advance = (seconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(seconds * 1_000);

it.each([1, 2, 3])('[spec 4.payment.14] opens the thank-you page at status %i', async (paid) => {
  const page = await openQr();
  await advance(4);
  expect(page.requestCount()).toBe(1);
  expect(left).toEqual([]);
  status = paid;
  await advance(5);
  expect(left).toEqual(['/order-success']);
  await advance(600);
  expect(page.requestCount()).toBe(2);
});

it('[spec 4.payment.15] shows that the order was cancelled', async () => {
  const page = await openQr();
  status = 4;
  await advance(4);
  expect(page.$payment.get()).toMatchObject({ view: 'closed', order: { status: 4 } });
});

it('polls at growing intervals, stops after some minutes, and starts again with Check again', async () => {
  const page = await openQr();
  await advance(60);
  const firstMinute = page.requestCount();
  expect(firstMinute).toBeGreaterThan(4);
  await advance(60);
  expect(page.requestCount() - firstMinute).toBeLessThanOrEqual(5);
  await advance(400);
  expect(page.$paymentWatch.get()).toBe('stopped');
  const whole = page.requestCount();
  expect(whole).toBeLessThan(40);
  await advance(3_600);
  expect(page.requestCount()).toBe(whole);
  status = 1;
  page.checkAgain();
  await advance(1);
  expect(left).toEqual(['/order-success']);
});

it('pauses while the page is hidden, and polls at once when it is shown again', async () => {
  const page = await openQr();
  setVisibility('hidden');
  await advance(120);
  expect(page.requestCount()).toBe(0);
  setVisibility('visible');
  await advance(1);
  expect(page.requestCount()).toBe(1);
});

it('continues after a failed request, and ends with the view', async () => {
  const page = await openQr();
  fakeApi({});
  await advance(20);
  expect(page.$paymentWatch.get()).toBe('watching');
  page.$payment.set({ view: 'loading' });
  stop();
  const api = fakeApi({});
  await advance(60);
  expect(api.calls()).toEqual([]);
});
