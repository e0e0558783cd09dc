import * as v from 'valibot';
import { expect, it } from 'vitest';
import { formatRupees } from '#domain/money.ts';
import { STATUSES } from '#domain/order-status.ts';
import { TOO_LATE_TO_CANCEL } from '#domain/refusals.ts';
import { OrderSchema } from '#server/orders/schema.ts';
import { reconcile } from '#server/payments/reconcile.ts';
import { filledForm, mainText } from '#tests/server/support/admin.ts';
import { idsOn } from '#tests/server/support/admin-orders.ts';
import { ORDER_TOTAL } from '#tests/server/support/api.ts';
import { emailsApi } from '#tests/server/support/emails.ts';
import { METHODS, sandboxOf, shopper } from '#tests/server/support/payments.ts';
import { allRows, rowOf, rowsOf, runSql } from '#tests/server/support/rows.ts';
import { unlimited } from '#tests/support/api.ts';

const cancel = ({ ask, token }: Awaited<ReturnType<typeof shopper>>, id: string) =>
  ask(`/orders/${id}/cancel`, { token, json: {} });

const refundOf = (json: unknown) =>
  v.parse(OrderSchema, json).refunds?.map(({ amount, state }) => [amount, state]);

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
    expect([v.parse(OrderSchema, json).status, refundOf(json)]).toEqual([4, DUE]);
  await api.report(late);
  expect((await api.states()).map(({ state }) => state).toSorted()).toEqual(['refund_due', 'refund_due']);
  expect(refundOf((await cancel(api, order.id)).json)).toEqual([...DUE, ...DUE]);
  const log = await allRows(
    api.db,
    v.object({ action: v.string(), who: v.string() }),
    'SELECT action, who FROM admin_log',
  );
  expect(log.filter(({ action }) => action === 'cancelled')).toEqual([
    { action: 'cancelled', who: 'Customer' },
  ]);
});

it('cancelling while paying leaves the order either paid or cancelled with a refund due', async () => {
  const { ask, token, placeOrder, report, submit, db } = await shopper({
    paymentProviders: ['sandbox', 'cod'],
    limits: unlimited(),
  });
  for (let round = 0; round < 24; round += 1) {
    const { id } = await placeOrder(token);
    const paidBy = round % 2 === 0 ? METHODS.qr : METHODS.cash;
    const started = paidBy === METHODS.qr ? (await submit({ method: paidBy }, {}, id)).text : '';
    const reference = /[?&]tr=(\w+)/.exec(started)?.[1];
    const pay = () => (reference ? report(reference) : submit({ method: paidBy }, {}, id));
    const cancelled = () => ask(`/orders/${id}/cancel`, { token, json: {} });
    await Promise.all(round % 4 < 2 ? [pay(), cancelled()] : [cancelled(), pay()]);
    const [order] = await allRows(
      db,
      v.object({ status: v.number(), state: v.nullable(v.string()) }),
      `SELECT status, state FROM orders LEFT JOIN payments ON order_number = number WHERE id = ?`,
      id,
    );
    expect(order?.status).toBe(STATUSES.cancelled.code);
    expect(reference ? ['refund_due'] : [null, 'failed']).toContain(order?.state);
  }
});

it('cancelling while the order is shipped succeeds or says that it is too late', async () => {
  const admin = await emailsApi();
  const packer = await admin.staff('packer');
  const { token, email } = await admin.customer();
  for (let round = 0; round < 6; round += 1) {
    const { id, number } = await admin.placeOrder(token);
    await runSql(admin.db, 'UPDATE orders SET status = 1 WHERE id = ?', id);
    const cancelOrder = () => admin.ask(`/orders/${id}/cancel`, { token, json: {} });
    const path = `/admin/orders/${id}`;
    const form = filledForm((await packer.get(path)).text, `${path}/ship`);
    const [answer] = await Promise.all([cancelOrder(), packer.post(`${path}/ship`, form)]);
    const again = await cancelOrder();
    expect(again.status).toBe(answer.status);
    if (answer.status === 409) expect(answer.json).toEqual({ error: TOO_LATE_TO_CANCEL });
    else expect(v.parse(OrderSchema, answer.json).status).toBe(STATUSES.cancelled.code);
    await admin.round();
    const subjects = admin.server.received.flatMap(({ recipients, subject }) =>
      recipients.includes(email) && subject?.includes(number) ? [subject] : [],
    );
    expect(subjects.filter((subject) => subject.endsWith('was cancelled'))).toHaveLength(
      answer.status === 200 ? 1 : 0,
    );
  }
});

it("answers 404 for an unknown order and another customer's", async () => {
  const api = await shopper();
  const other = await api.customer();
  for (const id of [api.order.id, 'unknown'])
    expect((await api.ask(`/orders/${id}/cancel`, { token: other.token, json: {} })).status).toBe(404);
  expect(await api.status()).toBe(STATUSES.pending.code);
});

const MINUTES = 2 * 60_000;

/** An order that is on its way, and what the customer is written. */
async function shippedOrder(method: keyof typeof METHODS) {
  const api = await emailsApi({ paymentProviders: ['sandbox', 'cod'] });
  const owner = await api.staff('owner');
  const { token, email } = await api.customer();
  const { id } = await api.placeOrder(token);
  const { startPayment, report, submit } = sandboxOf(api, token);
  if (method === 'cash') await submit(id, { method: METHODS.cash });
  else await report(await startPayment(id));
  const page = `/admin/orders/${id}`;
  const subjects = async () => {
    await api.round();
    return api.server.received.flatMap(({ recipients, subject = '' }) =>
      recipients.includes(email) ? [subject] : [],
    );
  };
  const current = async () => {
    const [found] = await api.ordersOf(token);
    if (!found) throw new Error('There is no order.');
    return found;
  };
  const states = async () => (await rowsOf(api.db, 'SELECT state FROM payments')).map(({ state }) => state);
  await subjects();
  await owner.submit(page, `${page}/ship`, { tracking: 'AB1' });
  return { ...api, owner, id, page, subjects, current, states };
}

it.each([
  ['cash', 'failed', undefined, 'There is nothing to pay'],
  ['qr', 'refund_due', DUE, 'We return what you paid'],
] as const)(
  'a parcel that came back ends an order paid by %s, and the customer gets an email',
  async (method, state, due, text) => {
    const shop = await shippedOrder(method);
    const asks = await shop.owner.submit(`${shop.page}/came-back`, `${shop.page}/came-back`);
    expect([asks.status, mainText(asks.text)]).toEqual([422, expect.stringContaining('Choose why')]);
    await shop.owner.submit(`${shop.page}/came-back`, `${shop.page}/came-back`, {
      why: 'refused',
      goods: 'Two jars broken',
    });
    const order = await shop.current();
    expect([order.status, order.events.at(-1), refundOf(order), await shop.states()]).toEqual([
      4,
      expect.objectContaining({ status: 4, note: 'came back: it was refused' }),
      due,
      [state],
    ]);
    const list = mainText((await shop.owner.get('/admin/orders?status=5')).text);
    expect(list).toContain('Came back 1');
    expect(mainText((await shop.owner.get(shop.page)).text)).toContain('Two jars broken');
    shop.pass(MINUTES);
    expect((await shop.subjects()).at(-1)).toContain('came back to us');
    const email = shop.server.received.find(({ subject }) => subject?.includes('came back to us'));
    expect(email?.text).toContain(text);
    await runSql(shop.db, "UPDATE orders SET language = 'hi'");
    expect((await shop.current()).events.at(-1)).toMatchObject({
      note: 'पार्सल वापस आया: लेने से मना किया गया',
    });
  },
);

it.each([
  ['98', 'We return what you paid: ₹1,700 besides the ₹98 that was returned before. We write again'],
  ['1798', 'What you paid was returned: ₹1,798.'],
])('the email about a parcel that came back knows that ₹%s was returned before', async (amount, text) => {
  const shop = await shippedOrder('qr');
  const row = await rowOf(shop.db, 'SELECT reference FROM payments');
  const refund = `/admin/orders/payments/${row?.reference}/refund`;
  await shop.owner.submit(refund, refund, { amount, reason: 'Bruised' });
  await reconcile(shop.services);
  await shop.owner.submit(`${shop.page}/came-back`, `${shop.page}/came-back`, { why: 'refused' });
  shop.pass(MINUTES);
  await shop.subjects();
  expect(shop.server.received.find(({ subject }) => subject?.includes('came back'))?.text).toContain(text);
});

it('the email about cash that a courier brought promises no packing', async () => {
  const shop = await shippedOrder('cash');
  const asked = await shop.owner.submit(shop.page, '/admin/orders/cash');
  const path = '/admin/orders/cash/collected';
  await shop.owner.post(path, filledForm(asked.text, path));
  shop.pass(MINUTES);
  await shop.subjects();
  const text = shop.server.received.find(({ subject }) => subject?.includes('We have your payment'))?.text;
  expect(text).toMatch(/is paid\.\s+See your order/);
});

it.each(['cash', 'qr'] as const)(
  'steps of an order paid by %s are taken back with a reason',
  async (method) => {
    const shop = await shippedOrder(method);
    const [paid, told] = [await shop.states(), await shop.subjects()];
    const takeBack = () =>
      shop.owner.submit(`${shop.page}/take-back`, `${shop.page}/take-back`, { reason: 'The wrong order.' });
    await shop.owner.submit(shop.page, `${shop.page}/deliver`);
    await takeBack();
    await shop.owner.submit(`${shop.page}/came-back`, `${shop.page}/came-back`, { why: 'damaged' });
    await takeBack();
    expect([await shop.states(), (await shop.current()).status]).toEqual([paid, 2]);
    await takeBack();
    expect(await shop.current()).toMatchObject({ status: 1, events: [{ status: 0 }, { status: 1 }] });
    expect(await shop.current()).not.toHaveProperty('tracking');
    // It was paid, which the staff did not do.
    expect((await shop.owner.get(`${shop.page}/take-back`)).status).toBe(409);
    shop.pass(MINUTES);
    expect(await shop.subjects()).toEqual(told);

    await shop.owner.submit(shop.page, `${shop.page}/ship`);
    shop.pass(MINUTES);
    await shop.subjects();
    const noReason = await shop.owner.submit(`${shop.page}/take-back`, `${shop.page}/take-back`);
    expect(noReason.status).toBe(422);
    expect(mainText((await takeBack()).text)).toBe('');
    expect((await shop.subjects()).slice(told.length)).toEqual([
      expect.stringContaining('is on its way'),
      expect.stringContaining('was a mistake'),
    ]);
  },
);

it('an order is not taken back to life once its money was returned', async () => {
  const shop = await shippedOrder('qr');
  await shop.owner.submit(`${shop.page}/came-back`, `${shop.page}/came-back`, { why: 'not_found' });
  const [payment] = await rowsOf(shop.db, 'SELECT reference FROM payments');
  const path = `/admin/orders/payments/${payment?.reference}/refund`;
  shop.pass(1_000);
  await shop.owner.submit(path, path, { reason: 'It came back.' });
  const late = await shop.owner.submit(`${shop.page}/take-back`, `${shop.page}/take-back`, {
    reason: 'Oops',
  });
  expect([late.status, mainText(late.text)]).toEqual([409, expect.stringContaining('already returned')]);
  expect((await shop.current()).status).toBe(4);
});

it('list, filter, slip and first page say what was paid, and what the courier collects', async () => {
  const shop = await shippedOrder('cash');
  const other = await shop.customer('second@example.com');
  const unpaid = await shop.placeOrder(other.token);
  const { pay } = sandboxOf(shop, other.token);
  const paid = await shop.placeOrder(other.token);
  await pay(paid.id);
  const total = formatRupees(ORDER_TOTAL / 100);
  const found = async (money: string) => idsOn((await shop.owner.get(`/admin/orders?money=${money}`)).text);
  expect(await Promise.all(['paid', 'collect', 'unpaid', 'refunded'].map(found))).toEqual([
    [paid.id],
    [shop.id],
    [unpaid.id],
    [],
  ]);
  const slip = async (id: string) => mainText((await shop.owner.get(`/admin/orders/${id}/slip`)).text);
  expect(await slip(shop.id)).toContain(`Collect ${total}`);
  expect(await slip(paid.id)).toContain('Paid');
  const home = mainText((await shop.owner.get('/admin')).text);
  for (const kind of ['Paid', 'To collect', 'Unpaid']) expect(home).toContain(`${kind}: 1, ${total}`);
});
