// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeApi, orderDto, signIn, signOut } from '#tests/unit/stores/support/fake-api.ts';

const left: string[] = [];

vi.mock('#stores/shell/navigation.ts', async (original) => ({
  ...(await original<typeof import('#stores/shell/navigation.ts')>()),
  replaceWith: (path: string) => left.push(path),
}));

let status = 0;
let stop = (): void => {};
let visibility = 'visible';

const see = (state: 'visible' | 'hidden'): void => {
  visibility = state;
  document.dispatchEvent(new Event('visibilitychange'));
};

async function openQr() {
  vi.resetModules();
  const api = fakeApi({ 'GET orders': () => Response.json([orderDto({ status })]) });
  const { $payment, $orderToPay } = await import('#stores/payment/payment.ts');
  const watch = await import('#stores/payment/payment-watch.ts');
  // The client must be loaded before the test controls the clock.
  await import('#api/orders.ts');
  $orderToPay.set({ id: 'order-1' });
  $payment.set({ view: 'qr', handover: { text: 'upi://pay' }, validUntil: Date.now() + 300_000 });
  stop = watch.watchPayment();
  return { ...watch, $payment, asked: () => api.calls().length };
}

beforeEach(() => {
  vi.useFakeTimers();
  status = 0;
  left.length = 0;
  visibility = 'visible';
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(
    () => visibility as DocumentVisibilityState,
  );
  signIn();
});

afterEach(() => {
  stop();
  signOut();
  vi.useRealTimers();
});

const pass = (seconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(seconds * 1_000);

describe('the watch on an order', () => {
  it.each([1, 2, 3])('[spec 4.payment.14] opens the thank-you page at status %i', async (paid) => {
    const page = await openQr();
    await pass(4);
    expect(page.asked()).toBe(1);
    expect(left).toEqual([]);
    status = paid;
    await pass(5);
    expect(left).toEqual(['/order-success']);
    await pass(600);
    expect(page.asked()).toBe(2);
  });

  it('[spec 4.payment.15] shows that the order was cancelled', async () => {
    const page = await openQr();
    status = 4;
    await pass(4);
    expect(page.$payment.get()).toMatchObject({ view: 'closed', order: { status: 4 } });
  });

  it('checks at growing intervals, stops after some minutes, and checks again on request', async () => {
    const page = await openQr();
    await pass(60);
    const firstMinute = page.asked();
    expect(firstMinute).toBeGreaterThan(4);
    await pass(60);
    expect(page.asked() - firstMinute).toBeLessThanOrEqual(5);
    await pass(400);
    expect(page.$paymentWatch.get()).toBe('stopped');
    const whole = page.asked();
    expect(whole).toBeLessThan(40);
    await pass(3_600);
    expect(page.asked()).toBe(whole);
    status = 1;
    page.checkAgain();
    await pass(1);
    expect(left).toEqual(['/order-success']);
  });

  it('does not check while the page is hidden, but at once when it is shown again', async () => {
    const page = await openQr();
    see('hidden');
    await pass(120);
    expect(page.asked()).toBe(0);
    see('visible');
    await pass(1);
    expect(page.asked()).toBe(1);
  });

  it('continues after a failed request, and ends with the view', async () => {
    const page = await openQr();
    fakeApi({});
    await pass(20);
    expect(page.$paymentWatch.get()).toBe('watching');
    page.$payment.set({ view: 'loading' });
    stop();
    const api = fakeApi({});
    await pass(60);
    expect(api.calls()).toEqual([]);
  });
});
