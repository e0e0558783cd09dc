import { expect, it } from 'vitest';
import { STATUSES } from '#domain/order-status.ts';
import { expireOrders } from '#server/orders/expire.ts';
import { reconcile } from '#server/payments/reconcile.ts';
import { HOUR } from '#server/process/clock.ts';
import type { Settings } from '#server/settings/settings.ts';
import { ORDER_TOTAL } from '#tests/server/support/api.ts';
import { emailsApi } from '#tests/server/support/emails.ts';
import { METHODS, sandboxOf } from '#tests/server/support/payments.ts';
import { rowOf, rowsOf } from '#tests/server/support/rows.ts';

const TWO_DAYS = 48 * HOUR;

const { pending, processing, cancelled } = STATUSES;

async function shopWithOrder(settings: Partial<Settings> = {}) {
  const api = await emailsApi(settings);
  const { token, email } = await api.customer();
  const place = async () => (await api.placeOrder(token)).id;
  const id = await place();
  const sandbox = sandboxOf(api, token);
  let reference = '';
  const pay = async (): Promise<void> => {
    reference = await sandbox.startPayment(id);
  };
  const report = () => sandbox.report(reference);
  const tryToPay = async () => (await sandbox.submit(id, { method: METHODS.qr })).json;
  const orders = () => api.ordersOf(token);
  const status = async () => (await orders()).find((order) => order.id === id)?.status;
  const expire = () => expireOrders(api.services);
  return { ...api, email, id, place, pay, tryToPay, report, orders, status, expire };
}

it('cancels an order that is unpaid for two days, and emails a link to order again', async () => {
  const shop = await shopWithOrder();
  shop.pass(TWO_DAYS - HOUR);
  const younger = await shop.place();
  await shop.expire();
  expect(await shop.status()).toBe(pending.code);
  await shop.passWatched(HOUR);
  await Promise.all([shop.expire(), shop.expire()]);
  expect((await shop.orders()).map(({ id, status }) => [id, status])).toEqual([
    [younger, pending.code],
    [shop.id, cancelled.code],
  ]);
  await shop.round();
  const sent = shop.server.received.filter(({ subject }) => subject?.includes('cancelled'));
  expect(sent.map(({ recipients, subject }) => [recipients, subject])).toEqual([
    [[shop.email], 'Your order FF-1001 was cancelled: it was not paid'],
  ]);
  expect(sent[0]?.text).toMatch(/Order again[^\n]*\n?[^\n]*\/orders/);
  const log = await rowsOf(shop.db, 'SELECT who, action FROM admin_log');
  expect(log).toContainEqual({ who: 'the shop', action: 'cancelled' });
});

it('keeps an unpaid order for as long as the setting says', async () => {
  const shop = await shopWithOrder({ orders: { listed: 50, payableFor: HOUR, prefix: undefined } });
  shop.pass(HOUR);
  await shop.expire();
  expect(await shop.status()).toBe(cancelled.code);
});

it('refuses a payment after the deadline, even before the order is cancelled', async () => {
  const shop = await shopWithOrder();
  shop.pass(TWO_DAYS);
  expect(await shop.tryToPay()).toEqual({
    success: false,
    error: 'This order was not paid in time. Please order again.',
  });
});

it('keeps an order while a payment is in progress', async () => {
  const shop = await shopWithOrder();
  shop.pass(TWO_DAYS - 1);
  await shop.pay();
  shop.pass(1);
  await shop.expire();
  expect(await shop.status()).toBe(pending.code);
  await shop.report();
  await shop.passWatched(2 * HOUR);
  await shop.expire();
  expect(await shop.status()).toBe(processing.code);
});

it('refunds a payment that succeeds after the order was cancelled', async () => {
  const shop = await shopWithOrder({ autoRefund: true });
  shop.pass(TWO_DAYS - 1);
  await shop.pay();
  shop.pass(HOUR + 1);
  await shop.expire();
  expect(await shop.status()).toBe(cancelled.code);
  await shop.report();
  await reconcile(shop.services);
  expect((await shop.orders())[0]?.refunds).toMatchObject([{ amount: ORDER_TOTAL / 100, state: 'refunded' }]);
});

it('keeps an order that is paid after it was listed for cancelling', async () => {
  const shop = await shopWithOrder();
  shop.pass(TWO_DAYS - 1);
  await shop.pay();
  shop.pass(2 * HOUR);
  const { db } = shop;
  await expireOrders({
    ...shop.services,
    db: {
      ...db,
      async rows(query, parsers) {
        const listed = await db.rows(query, parsers);
        await shop.report();
        return listed;
      },
    },
  });
  expect(await shop.status()).toBe(processing.code);
  expect((await rowOf(db, 'SELECT state FROM payments'))?.state).toBe('paid');
});
