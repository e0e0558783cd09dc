import * as v from 'valibot';
import { expect, it } from 'vitest';
import { formatRupees } from '#domain/money.ts';
import { STATUSES } from '#domain/order-status.ts';
import { TOO_LATE_TO_CANCEL } from '#domain/refusals.ts';
import { OrderDtoSchema } from '#server/orders/schema.ts';
import { reconcile } from '#server/payments/reconcile.ts';
import { MINUTE } from '#server/process/clock.ts';
import { expectPage, filledForm } from '#tests/server/support/admin.ts';
import { idsOn, ORDERS, packing, shopWithOrder } from '#tests/server/support/admin-orders.ts';
import { ORDER_TOTAL } from '#tests/server/support/api.ts';
import { METHODS, sandboxOf, shopper } from '#tests/server/support/payments.ts';
import { rowOf, runSql, valuesOf } from '#tests/server/support/rows.ts';
import { UNLIMITED } from '#tests/support/api.ts';

const cancel = ({ ask, token }: Pick<Awaited<ReturnType<typeof shopper>>, 'ask' | 'token'>, id: string) =>
  ask(`/orders/${id}/cancel`, { token, json: {} });

const refundOf = (json: unknown) =>
  v.parse(OrderDtoSchema, json).refunds?.map(({ amount, state }) => [amount, state]);

const DUE = [[ORDER_TOTAL / 100, 'refund_due']];

it('cancelling a paid order twice makes one refund due, and a later payment is due as well', async () => {
  const api = await shopper();
  const { order } = api;
  const late = await api.qrReference();
  const paid = (await api.pay('Card or net banking')) as {
    action: { formParams: { data: { reference: string } } };
  };
  await api.report(paid.action.formParams.data.reference);
  const answers = await Promise.all([cancel(api, order.id), cancel(api, order.id)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  for (const { json } of answers)
    expect([v.parse(OrderDtoSchema, json).status, refundOf(json)]).toEqual([4, DUE]);
  await api.report(late);
  expect([await api.states(), await api.money()]).toEqual([['done', 'done'], ['refund_due']]);
  expect(refundOf((await cancel(api, order.id)).json)).toEqual([[(2 * ORDER_TOTAL) / 100, 'refund_due']]);
  expect(await valuesOf(api.db, "SELECT who FROM admin_log WHERE action = 'cancelled'")).toEqual([
    'Customer',
  ]);
});

it('cancelling while paying leaves the order either paid or cancelled with a refund due', async () => {
  const shop = await shopper({ paymentProviders: ['sandbox', 'cod'], ...UNLIMITED });
  const { token, placeOrder, report, submit, db } = shop;
  for (let round = 0; round < 24; round += 1) {
    const { id } = await placeOrder(token);
    const paidBy = round % 2 === 0 ? METHODS.qr : METHODS.cash;
    const started = paidBy === METHODS.qr ? (await submit({ method: paidBy }, {}, id)).text : '';
    const reference = /[?&]tr=(\w+)/.exec(started)?.[1];
    const pay = () => (reference ? report(reference) : submit({ method: paidBy }, {}, id));
    await Promise.all(round % 4 < 2 ? [pay(), cancel(shop, id)] : [cancel(shop, id), pay()]);
    expect(await rowOf(db, 'SELECT status, money FROM orders WHERE id = ?', id)).toEqual({
      status: STATUSES.cancelled.code,
      money: reference ? 'refund_due' : 'nothing',
    });
  }
});

it('cancelling while the order is shipped succeeds or says that it is too late', async () => {
  const shop = await packing();
  for (let round = 0; round < 6; round += 1) {
    const { id, number } = await shop.placeOrder(shop.token);
    await shop.pay(id);
    const path = `${ORDERS}/${id}`;
    const form = filledForm((await shop.packer.get(path)).text, `${path}/ship`);
    const [answer] = await Promise.all([cancel(shop, id), shop.packer.post(`${path}/ship`, form)]);
    expect((await cancel(shop, id)).status).toBe(answer.status);
    if (answer.status === 409) expect(answer.json).toEqual({ error: TOO_LATE_TO_CANCEL });
    else expect(v.parse(OrderDtoSchema, answer.json).status).toBe(STATUSES.cancelled.code);
    await shop.sendDue();
    const subjects = shop.sentTo(shop.email).map(({ subject = '' }) => subject);
    const cancelled = subjects.filter((each) => each.includes(number) && each.endsWith('was cancelled'));
    expect(cancelled).toHaveLength(answer.status === 200 ? 1 : 0);
  }
});

it("answers 404 for an unknown order and another customer's", async () => {
  const api = await shopper();
  const other = await api.customer();
  for (const id of [api.order.id, 'unknown'])
    expect((await api.ask(`/orders/${id}/cancel`, { token: other.token, json: {} })).status).toBe(404);
  expect(await api.status()).toBe(STATUSES.pending.code);
});

/** An order that is on its way. */
async function shippedOrder(method: keyof typeof METHODS) {
  const shop = await shopWithOrder({ paymentProviders: ['sandbox', 'cod'] });
  if (method === 'cash') await shop.submit(shop.id, { method: METHODS.cash });
  else await shop.pay(shop.id);
  await shop.subjects();
  await shop.press('ship', { tracking: 'AB1' });
  return shop;
}

it('a lost parcel ends its order, is no task of cash any more, and may arrive after all', async () => {
  const shop = await shippedOrder('cash');
  await shop.send('lost');
  const { status, events } = await shop.current();
  expect([status, events.at(-1)?.note]).toEqual([4, 'the carrier lost the parcel']);
  expect([await shop.statuses(), await shop.payments()]).toEqual([[6], ['nothing']]);
  shop.pass(3 * MINUTE);
  expect((await shop.subjects()).at(-1)).toBe(`The parcel of your order ${shop.number} was lost`);
  await shop.press('deliver');
  expect([(await shop.current()).status, await shop.payments()]).toEqual([3, ['to_collect']]);
  await shop.send('take-back', { reason: 'It did not' });
  expect([await shop.statuses(), await shop.payments()]).toEqual([[6], ['nothing']]);
});

it.each([
  ['cash', 'nothing', undefined, 'There is nothing to pay'],
  ['qr', 'refund_due', DUE, 'We return what you paid'],
] as const)(
  'a parcel that came back ends an order paid by %s, and the customer gets an email',
  async (method, state, due, text) => {
    const shop = await shippedOrder(method);
    expectPage(await shop.send('returned-to-origin'), 422, 'Choose why');
    await shop.send('returned-to-origin', { why: 'refused', goods: 'Two jars broken' });
    const order = await shop.current();
    expect([order.status, order.events.at(-1), refundOf(order), await shop.payments()]).toEqual([
      4,
      expect.objectContaining({ status: 4, note: 'came back: it was refused' }),
      due,
      [state],
    ]);
    expect(await shop.read(`${ORDERS}?status=5`)).toContain('Came back 1');
    expect(await shop.read()).toContain('Two jars broken');
    shop.pass(2 * MINUTE);
    expect((await shop.subjects()).at(-1)).toContain('came back to us');
    expect(shop.sentTo(shop.email).at(-1)?.text).toContain(text);
    await runSql(shop.db, "UPDATE orders SET language = 'hi'");
    const note = 'पार्सल वापस आया: लेने से मना किया गया';
    expect((await shop.current()).events.at(-1)).toMatchObject({ note });
  },
);

it.each([
  ['98', 'We return what you paid: ₹1,700 besides the ₹98 that was returned before. We write again'],
  ['1798', 'What you paid was returned: ₹1,798.'],
])('the email about a parcel that came back knows that ₹%s was returned before', async (amount, text) => {
  const shop = await shippedOrder('qr');
  const refund = `${shop.page}/refund`;
  await shop.owner.submit(refund, refund, { amount, reason: 'Bruised' });
  await reconcile(shop.services);
  await shop.send('returned-to-origin', { why: 'refused' });
  shop.pass(2 * MINUTE);
  await shop.subjects();
  const emails = shop.sentTo(shop.email).filter(({ subject }) => subject?.includes('came back'));
  expect(emails).toMatchObject([{ text: expect.stringContaining(text) }]);
});

it('the email about cash that a courier brought promises no packing', async () => {
  const shop = await shippedOrder('cash');
  await shop.send('payment');
  shop.pass(2 * MINUTE);
  await shop.subjects();
  const emails = shop.sentTo(shop.email).filter(({ subject }) => subject?.includes('We have your payment'));
  expect(emails).toMatchObject([{ text: expect.stringMatching(/is paid\.\s+See your order/) }]);
});

it.each(['cash', 'qr'] as const)(
  'steps of an order paid by %s are taken back with a reason',
  async (method) => {
    const shop = await shippedOrder(method);
    const [paid, written] = [await shop.payments(), await shop.subjects()];
    const takeBack = () => shop.send('take-back', { reason: 'The wrong order.' });
    await shop.press('deliver');
    await takeBack();
    await shop.send('returned-to-origin', { why: 'damaged' });
    await takeBack();
    expect([await shop.payments(), (await shop.current()).status]).toEqual([paid, 2]);
    await takeBack();
    expect(await shop.current()).toMatchObject({ status: 1, events: [{ status: 0 }, { status: 1 }] });
    expect(await shop.current()).not.toHaveProperty('tracking');
    // What is left is the payment, which no staff member can take back.
    expect((await shop.owner.get(`${shop.page}/take-back`)).status).toBe(409);
    shop.pass(2 * MINUTE);
    expect(await shop.subjects()).toEqual(written);

    await shop.press('ship');
    shop.pass(2 * MINUTE);
    await shop.subjects();
    expect((await shop.send('take-back')).status).toBe(422);
    expect((await takeBack()).status).toBe(303);
    expect((await shop.subjects()).slice(written.length)).toEqual([
      expect.stringContaining('is on its way'),
      expect.stringContaining('was a mistake'),
    ]);
  },
);

it('an order that is cancelled after its slip was printed is marked until it is unpacked or goes on', async () => {
  const shop = await shopWithOrder({ paymentProviders: ['sandbox', 'cod'] });
  await shop.submit(shop.id, { method: METHODS.cash });
  const unprinted = await shop.placeOrder(shop.token);
  await cancel(shop, unprinted.id);
  await shop.read(`${ORDERS}/${unprinted.id}/slip`);
  await shop.read(`${shop.page}/slip`);
  await cancel(shop, shop.id);
  await shop.subjects();
  expect(idsOn((await shop.owner.get(`${ORDERS}?unpack=yes`)).text)).toEqual([shop.id]);
  expect(await shop.read(ORDERS)).toContain('Slip was printed');
  expect(await shop.read('/admin')).toContain('1 cancelled order whose slip was printed');
  expect(await shop.read()).toContain('Cancelled after its slip was printed');
  expect(await shop.read(`${shop.page}/slip`)).toContain('Cancelled. Do not send it.');

  // An address that is not confirmed gets few emails an hour.
  shop.pass(61 * MINUTE);
  await shop.send('take-back', { reason: 'It has left.' });
  expect((await shop.current()).status).toBe(STATUSES.processing.code);
  expect((await shop.subjects()).at(-1)).toContain('comes to you after all');
  await cancel(shop, shop.id);
  await shop.press('unpacked');
  expect(await shop.read('/admin')).not.toContain('whose slip was printed');
});

it('an order whose money was returned is unpaid when it is taken back to life', async () => {
  const shop = await shippedOrder('qr');
  await shop.send('returned-to-origin', { why: 'not_found' });
  const path = `${shop.page}/refund`;
  shop.pass(1_000);
  await shop.owner.submit(path, path, { reason: 'It came back.' });
  await reconcile(shop.services);
  expect((await shop.current()).status).toBe(4);
  await shop.send('take-back', { reason: 'Oops' });
  expect([(await shop.current()).status, await shop.payments()]).toEqual([2, ['unpaid']]);
});

it('list, filter, slip and first page say what was paid, and what the courier collects', async () => {
  const shop = await shippedOrder('cash');
  const other = await shop.customer('second@example.com');
  const unpaid = await shop.placeOrder(other.token);
  const paid = await shop.placeOrder(other.token);
  await sandboxOf(shop, other.token).pay(paid.id);
  const total = formatRupees(ORDER_TOTAL / 100);
  const found = async (money: string) => idsOn((await shop.owner.get(`${ORDERS}?money=${money}`)).text);
  expect(await Promise.all(['paid', 'to_collect', 'unpaid', 'refunded'].map(found))).toEqual([
    [paid.id],
    [shop.id],
    [unpaid.id],
    [],
  ]);
  expect(await shop.read(`${shop.page}/slip`)).toContain(`Collect ${total}`);
  expect(await shop.read(`${ORDERS}/${paid.id}/slip`)).toContain('Paid');
  const home = await shop.read('/admin');
  for (const kind of ['Paid', 'To collect', 'Unpaid']) expect(home).toContain(`${kind}: 1, ${total}`);
});
