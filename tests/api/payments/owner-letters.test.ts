import * as v from 'valibot';
import { expect, it, onTestFinished } from 'vitest';
import { formatPaise } from '#domain/money.ts';
import { OrderSchema } from '#scripts/api/orders/schema.ts';
import { reconcile } from '#scripts/api/payments/reconcile.ts';
import { storeRefund } from '#scripts/api/payments/refunds.ts';
import { settlePayment } from '#scripts/api/payments/settle.ts';
import { waysOf } from '#scripts/api/payments/ways.ts';
import type { Settings } from '#scripts/settings/settings.ts';
import { MANGO, ORDER_TOTAL } from '#tests/api/support/api.ts';
import { lettersApi } from '#tests/api/support/letters.ts';
import { METHODS } from '#tests/api/support/payments.ts';
import { anyRow } from '#tests/api/support/rows.ts';
import { startRazorpay } from '#tests/support/providers/razorpay.ts';

const MINUTE = 60_000;

const total = formatPaise(ORDER_TOTAL);

/** A shop of two owners, one of whom has no password yet, with a packer and an order. Payments report what a test says. */
async function shopOfOwners(settings: Partial<Settings> = {}) {
  const api = await lettersApi(settings);
  const owner = await api.staff('owner');
  await api.staff('packer');
  await api.db.write((t) =>
    t.run("INSERT INTO staff (id, email, name, role, created_at) VALUES ('new', 'new@x.in', '', 'owner', 1)"),
  );
  const { token } = await api.customer('asha@example.com');
  const { id } = v.parse(OrderSchema, (await api.order(token, { [MANGO]: 2 })).json);
  async function begin(method = METHODS.qr): Promise<string> {
    const before = (await api.db.all(anyRow, 'SELECT reference FROM payments')).map((row) => row.reference);
    await api.ask('/payments', { token, json: { fields: { method }, orderId: id } });
    const all = await api.db.all(anyRow, 'SELECT reference FROM payments');
    return String(all.find(({ reference }) => !before.includes(reference))?.reference);
  }
  const report = (reference: string, amountPaise = ORDER_TOTAL) =>
    settlePayment(api.shop, 'sandbox', reference, { outcome: 'succeeded', amountPaise, currency: 'INR' });
  /** What the owners have got. */
  const told = () => api.server.received.filter(({ recipients }) => !recipients.includes('asha@example.com'));
  return { ...api, owner, token, id, begin, report, told };
}

it('a wrong amount is told at once to each owner who can sign in, with a link to the order', async () => {
  const shop = await shopOfOwners();
  await shop.report(await shop.begin(), 100);
  await shop.round();
  const [letter, ...others] = shop.told();
  expect(others).toEqual([]);
  expect(letter?.recipients).toEqual(['owner@example.com']);
  expect(letter?.subject).toBe(`Money to look at: order ${shop.id.slice(0, 8)}`);
  expect(letter?.text).toContain(`${total} was expected. ₹1 was reported.`);
  expect(letter?.text).toContain(`${shop.shop.apiOrigin}/office/orders/${shop.id}\n`);
});

it('[fault 117] the second payment of an order, and one of an order that its shopper cancels, are told once each', async () => {
  const shop = await shopOfOwners();
  const [first, second] = [await shop.begin(), await shop.begin(METHODS.card)];
  await shop.report(first);
  await shop.round();
  expect(shop.told()).toEqual([]);
  await shop.report(second);
  await shop.report(second);
  await shop.round();
  expect(shop.told().map(({ text }) => text)).toEqual([
    expect.stringContaining(`${total} was paid and must go back: the order is Processing.`),
  ]);
  await shop.ask(`/orders/${shop.id}/cancel`, { token: shop.token, json: {} });
  await shop.round();
  expect(shop.told()).toHaveLength(2);
  expect(shop.told()[1]?.text).toContain('the order is Cancelled.');
});

it.each([
  ['the shop gives it back by itself', { refundsItself: true }],
  ['nobody is an owner any more', {}],
])('what needs nobody when the letter is to be sent is not told: %s', async (_why, settings) => {
  const shop = await shopOfOwners(settings);
  const [first, second] = [await shop.begin(), await shop.begin(METHODS.card)];
  await shop.report(first);
  await shop.report(second);
  if (!shop.shop.settings.refundsItself)
    await shop.db.write((t) => t.run("UPDATE staff SET role = 'packer' WHERE role = 'owner'"));
  await shop.round();
  expect(shop.told()).toEqual([]);
  expect(await shop.db.all(anyRow, "SELECT kind FROM letters WHERE state = 'dropped'")).toEqual([
    { kind: 'moneyMatter' },
  ]);
});

it('[fault 116] a refund that fails is told with the words of who took the payment', async () => {
  const provider = await startRazorpay();
  onTestFinished(provider.close);
  const shop = await shopOfOwners({ paymentProviders: ['razorpay'], environment: provider.environment });
  const reference = await shop.begin((await waysOf(shop.shop))[0]?.option);
  provider.end(reference, { outcome: 'succeeded' }, shop.now());
  shop.pass(2 * MINUTE);
  await reconcile(shop.shop);
  provider.refundsAre('refused');
  const request = { key: 'refund-of-this-test', reference, paise: 100_000, reason: 'Bad', who: 'owner' };
  await shop.db.write((t) => storeRefund(t, shop.now(), request));
  await reconcile(shop.shop);
  await reconcile(shop.shop);
  await shop.round();
  expect(shop.told().map(({ subject }) => subject)).toEqual([
    `₹1,000 could not be given back: order ${shop.id.slice(0, 8)}`,
  ]);
  const row = await shop.db.get(anyRow, 'SELECT words FROM refunds');
  expect(row?.words).toMatch(/balance/);
  expect(shop.told()[0]?.text).toContain(`Who took the payment says: ${String(row?.words)}`);
});
