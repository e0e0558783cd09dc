import { expect, it } from 'vitest';
import { STATUSES } from '#domain/order-status.ts';
import { expireOrders } from '#server/fulfilment/expire.ts';
import { HOUR } from '#server/process/clock.ts';
import type { Settings } from '#server/settings/settings.ts';
import { shopWithOrder } from '#tests/server/support/admin-orders.ts';
import { METHODS } from '#tests/server/support/payments.ts';

const TWO_DAYS = 48 * HOUR;

const { pending, processing, cancelled } = STATUSES;

async function unpaidOrder(settings: Partial<Settings> = {}) {
  const shop = await shopWithOrder(settings);
  let reference = '';
  const begin = async (): Promise<void> => {
    reference = await shop.startPayment(shop.id);
  };
  const succeed = () => shop.report(reference);
  const status = async () => (await shop.current()).status;
  const expire = () => expireOrders(shop.services);
  return { ...shop, begin, succeed, status, expire };
}

it('cancels an order that is unpaid for two days, and emails a link to order again', async () => {
  const shop = await unpaidOrder();
  shop.pass(TWO_DAYS - HOUR);
  const younger = await shop.place();
  await shop.expire();
  expect(await shop.status()).toBe(pending.code);
  await shop.passWatched(HOUR);
  await Promise.all([shop.expire(), shop.expire()]);
  expect((await shop.ordersOf(shop.token)).map(({ id, status }) => [id, status])).toEqual([
    [younger, pending.code],
    [shop.id, cancelled.code],
  ]);
  await shop.sendDue();
  expect(shop.sentTo(shop.email).filter(({ subject }) => subject?.includes('cancelled'))).toMatchObject([
    {
      subject: `Your order ${shop.number} was cancelled: it was not paid`,
      text: expect.stringMatching(/Order again[^\n]*\n?[^\n]*\/orders/),
    },
  ]);
  expect(await shop.log()).toMatchObject([{ who: 'the shop', action: 'cancelled', id: shop.id }]);
});

it('keeps an unpaid order for as long as the setting says', async () => {
  const shop = await unpaidOrder({ orders: { listed: 50, payableFor: HOUR, prefix: undefined } });
  shop.pass(HOUR);
  await shop.expire();
  expect(await shop.status()).toBe(cancelled.code);
});

it('refuses a payment after the deadline, even before the order is cancelled', async () => {
  const shop = await unpaidOrder();
  shop.pass(TWO_DAYS);
  const error = 'This order was not paid in time. Please order again.';
  expect((await shop.submit(shop.id, { method: METHODS.qr })).json).toEqual({ success: false, error });
});

it('keeps an order while a payment is in progress', async () => {
  const shop = await unpaidOrder();
  shop.pass(TWO_DAYS - 1);
  await shop.begin();
  shop.pass(1);
  await shop.expire();
  expect(await shop.status()).toBe(pending.code);
  await shop.succeed();
  await shop.passWatched(2 * HOUR);
  await shop.expire();
  expect(await shop.status()).toBe(processing.code);
});

it('keeps an order that is paid after it was listed for cancelling', async () => {
  const shop = await unpaidOrder();
  shop.pass(TWO_DAYS - 1);
  await shop.begin();
  shop.pass(2 * HOUR);
  const { db } = shop;
  await expireOrders({
    ...shop.services,
    db: {
      ...db,
      async rows(query, parsers) {
        const listed = await db.rows(query, parsers);
        await shop.succeed();
        return listed;
      },
    },
  });
  expect(await shop.status()).toBe(processing.code);
  expect(await shop.payments()).toEqual(['paid']);
});

it('takes back that an order expired once it is paid all the same, and not before', async () => {
  const shop = await unpaidOrder();
  shop.pass(TWO_DAYS - 1);
  await shop.begin();
  await shop.passWatched(2 * HOUR);
  await shop.expire();
  const owner = await shop.staff('owner', 'later@example.com');
  const form = `${shop.page}/take-back`;
  expect((await owner.get(form)).status).toBe(409);
  await shop.succeed();
  expect(await shop.payments()).toEqual(['refund_due']);
  await owner.submit(form, form, { reason: 'The customer wants it' });
  expect([await shop.status(), await shop.payments()]).toEqual([processing.code, ['paid']]);
});
