import * as v from 'valibot';
import { expect, it } from 'vitest';
import { STATUSES } from '#domain/order-status.ts';
import { TOO_LATE_TO_CANCEL } from '#domain/refusals.ts';
import { OrderSchema } from '#server/orders/schema.ts';
import { filledForm } from '#tests/server/support/admin.ts';
import { ORDER_TOTAL } from '#tests/server/support/api.ts';
import { emailsApi } from '#tests/server/support/emails.ts';
import { METHODS, shopper } from '#tests/server/support/payments.ts';
import { allRows, runSql } from '#tests/server/support/rows.ts';
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
