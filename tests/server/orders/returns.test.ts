import { expect, it } from 'vitest';
import { formatRupees } from '#domain/money.ts';
import { NOT_ARRIVED, RETURN_DAYS_OVER, RETURN_PENDING, TOO_MUCH_TO_RETURN } from '#domain/refusals.ts';
import { RETURNS } from '#server/orders/returns/stored-returns.ts';
import { reconcile } from '#server/payments/reconcile.ts';
import { DAY } from '#server/process/clock.ts';
import { expectPage, filledForm, mainText } from '#tests/server/support/admin.ts';
import { MANGO, PINEAPPLE } from '#tests/server/support/api.ts';
import { emailsApi } from '#tests/server/support/emails.ts';
import { METHODS, sandboxOf } from '#tests/server/support/payments.ts';
import { rowsOf, runSql } from '#tests/server/support/rows.ts';

/** A shop with an order that was paid and has arrived: two mangoes and a pineapple. */
async function arrivedOrder() {
  const api = await emailsApi();
  const owner = await api.staff('owner');
  const { token, email } = await api.customer();
  const placed = async () => await api.placeOrder(token, { [MANGO]: 2, [PINEAPPLE]: 1 });
  const { id, total } = await placed();
  const reference = await sandboxOf(api, token).startPayment(id);
  await runSql(api.db, "UPDATE payments SET state = 'paid'");
  await runSql(api.db, 'UPDATE orders SET status = 2 WHERE id = ?', id);
  const requestReturn = (lines: object, reason = 'It was not ripe.', orderId = id) =>
    api.ask(`/orders/${orderId}/returns`, { token, json: { reason, lines } });
  const deliver = () => owner.submit(`/admin/orders/${id}`, `/admin/orders/${id}/deliver`);
  const order = async () => {
    const found = (await api.ordersOf(token)).find((one) => one.id === id);
    if (!found) throw new Error('The order is not listed.');
    return found;
  };
  const subjects = async (): Promise<string[]> => {
    await api.round();
    return api.server.received.flatMap(({ recipients, subject }) =>
      recipients.includes(email) && subject ? [subject] : [],
    );
  };
  const paths = async () => {
    const list = await owner.get(RETURNS);
    return [...list.text.matchAll(/href="(\/admin\/orders\/returns\/[^"]+)"/g)].map(([, path = '']) => path);
  };
  return {
    ...api,
    owner,
    token,
    id,
    total,
    reference,
    requestReturn,
    deliver,
    order,
    subjects,
    paths,
    placed,
  };
}

const ALL = [
  { line: '0', quantity: 2 },
  { line: '1', quantity: 1 },
];

it('refuses a return before delivery, after the return period, of more than was bought, or twice', async () => {
  const shop = await arrivedOrder();
  expect(await shop.requestReturn(ALL)).toMatchObject({ status: 409, json: { error: NOT_ARRIVED } });
  expect(await shop.order()).not.toHaveProperty('returnUntil');
  // Delivered at 15:30 in India: the seventh day ends at midnight there, 8 hours and 30 minutes later.
  await shop.deliver();
  const { events, returnUntil = '' } = await shop.order();
  const lastMoment = 7 * DAY + 8.5 * 60 * 60 * 1_000 - 1;
  expect(Date.parse(returnUntil)).toBe(Date.parse(events.at(-1)?.at ?? '') + lastMoment);
  expect(await shop.requestReturn([{ line: '0', quantity: 3 }])).toMatchObject({
    status: 422,
    json: { error: TOO_MUCH_TO_RETURN },
  });
  expect((await shop.requestReturn([{ line: '2', quantity: 1 }])).status).toBe(422);
  expect((await shop.requestReturn([])).status).toBe(422);
  expect((await shop.requestReturn(ALL, ' ')).status).toBe(422);
  expect((await shop.requestReturn(ALL, 'why', 'unknown')).status).toBe(404);
  shop.pass(7 * DAY + 8 * 60 * 60 * 1_000);
  const one = [{ line: '0', quantity: 1 }];
  const answers = await Promise.all([
    shop.requestReturn(one),
    shop.requestReturn(one),
    shop.requestReturn(one),
  ]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  expect(answers.find(({ status }) => status === 409)?.json).toEqual({ error: RETURN_PENDING });
  expect((await shop.order()).returns).toMatchObject([
    { state: 'asked', lines: one, reason: 'It was not ripe.' },
  ]);
  shop.pass(60 * 60 * 1_000);
  expect(await shop.order()).not.toHaveProperty('returnUntil');
  expect(await shop.requestReturn(one)).toMatchObject({ status: 409, json: { error: RETURN_DAYS_OVER } });
  expect(
    (await shop.subjects()).filter((subject) => subject.startsWith('We have your request')),
  ).toHaveLength(1);
});

it('when two staff members answer at once, one answer counts and is emailed', async () => {
  const shop = await arrivedOrder();
  await shop.deliver();
  await shop.requestReturn(ALL);
  const [path = ''] = await shop.paths();
  const page = (await shop.owner.get(path)).text;
  const other = await shop.staff('packer');
  const otherPage = (await other.get(path)).text;
  const answers = await Promise.all([
    shop.owner.post(
      `${path}/answer`,
      filledForm(page, `${path}/answer`, { decision: 'accepted', answer: 'Keep it.' }),
    ),
    other.post(
      `${path}/answer`,
      filledForm(otherPage, `${path}/answer`, { decision: 'refused', answer: 'Eaten.' }),
    ),
  ]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409]);
  const late = answers.find(({ status }) => status === 409);
  expect(mainText(late?.text ?? '')).toContain('Someone else was first');
  const [own] = (await shop.order()).returns ?? [];
  expect(['accepted', 'refused']).toContain(own?.state);
  const subjects = await shop.subjects();
  expect(subjects.filter((subject) => /^We (?:accept|cannot take back)/.test(subject))).toHaveLength(1);
});

it('a return paid in cash is refunded by hand, at most what was paid, with an email', async () => {
  const api = await emailsApi({ paymentProviders: ['cod'] });
  const owner = await api.staff('owner');
  const { token, email } = await api.customer();
  const { id, items } = await api.placeOrder(token);
  await sandboxOf(api, token).submit(id, { method: METHODS.cash });
  const page = `/admin/orders/${id}`;
  await owner.submit(page, `${page}/ship`);
  await owner.submit(page, `${page}/deliver`);
  const request = { reason: 'It was not ripe.', lines: [{ line: '0', quantity: 1 }] };
  await api.ask(`/orders/${id}/returns`, { token, json: request });
  const path = /href="(\/admin\/orders\/returns\/[^"]+)"/.exec((await owner.get(RETURNS)).text)?.[1] ?? '';
  await owner.submit(path, `${path}/answer`, { decision: 'accepted', answer: 'Keep it.' });
  const early = await owner.submit(path, `${path}/refund`);
  expectPage(early, 422, 'Mark the cash');
  const cash = '/admin/orders/cash';
  const asked = await owner.submit(page, cash);
  await owner.post(`${cash}/collected`, filledForm(asked.text, `${cash}/collected`));
  await owner.submit(path, `${path}/refund`);
  await reconcile(api.services);
  const [found] = await api.ordersOf(token);
  const price = items[0]?.price ?? 0;
  expect(found).toMatchObject({
    refunds: [{ amount: price, state: 'refunded' }],
    returns: [{ state: 'refunded' }],
  });
  await api.round();
  const emails = api.server.received.filter(
    ({ recipients, subject }) =>
      recipients.includes(email) && subject === `We have returned ${formatRupees(price)}`,
  );
  expect(emails.map(({ text }) => text)).toEqual([expect.stringContaining('We gave it back by hand')]);
});

it('a return is accepted, received and refunded once; the last one refunds the delivery too', async () => {
  const shop = await arrivedOrder();
  await shop.deliver();
  // A line is named by its row, whatever its place in the list.
  await shop.db.write((transaction) => runSql(transaction, 'UPDATE order_items SET position = position + 7'));
  await shop.requestReturn([{ line: '7', quantity: 1 }]);
  expect(mainText((await shop.owner.get('/admin')).text)).toContain('1 return to answer or settle');
  const [path = ''] = await shop.paths();
  const noReason = await shop.owner.submit(path, `${path}/answer`, { decision: 'refused', answer: '' });
  expectPage(noReason, 422, 'Enter: Message');
  await shop.owner.submit(path, `${path}/answer`, { decision: 'accepted', answer: 'Send it to Pune.' });
  await shop.owner.submit(path, `${path}/received`);
  const page = (await shop.owner.get(path)).text;
  const giveBack = () => shop.owner.post(`${path}/refund`, filledForm(page, `${path}/refund`));
  const tooMuch = await shop.owner.submit(path, `${path}/refund`, { amount: '99999' });
  expectPage(tooMuch, 422, 'can be refunded');
  const again = (await shop.owner.get(path)).text;
  const both = await Promise.all([
    giveBack(),
    shop.owner.post(`${path}/refund`, filledForm(again, `${path}/refund`)),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([303, 409]);
  const order = await shop.order();
  const price = order.items[0]?.price ?? 0;
  expect(order.refunds).toMatchObject([{ amount: price, state: 'refunding' }]);
  expect(order.returns).toMatchObject([{ state: 'received', answer: 'Send it to Pune.' }]);
  await reconcile(shop.services);
  expect((await shop.order()).returns).toMatchObject([{ state: 'refunded' }]);

  await shop.requestReturn([
    { line: '7', quantity: 1 },
    { line: '8', quantity: 1 },
  ]);
  const [rest = ''] = await shop.paths();
  await shop.owner.submit(rest, `${rest}/answer`, { decision: 'accepted', answer: 'Keep it.' });
  await shop.owner.submit(rest, `${rest}/refund`);
  const refunds = (await shop.order()).refunds ?? [];
  expect(refunds.reduce((sum, { amount }) => sum + amount, 0)).toBe(shop.total);
  await reconcile(shop.services);
  expect(await shop.paths()).toEqual([]);
  expect((await shop.requestReturn([{ line: '7', quantity: 1 }])).json).toEqual({
    error: TOO_MUCH_TO_RETURN,
  });
});

it('a return of an order that was paid twice is refunded from the payment that counts', async () => {
  const shop = await arrivedOrder();
  // Whatever its reference is: one sorts before the other's, one after it.
  for (const reference of ['A0', 'ZZ'])
    await runSql(
      shop.db,
      `INSERT INTO payments (reference, order_number, provider, method, amount_paise, currency, state, return_origin, created_at, changed_at)
         SELECT ?, order_number, provider, method, amount_paise, currency, 'refund_due', return_origin, created_at, changed_at
         FROM payments WHERE state = 'paid'`,
      reference,
    );
  await shop.deliver();
  await shop.requestReturn(ALL);
  const [path = ''] = await shop.paths();
  await shop.owner.submit(path, `${path}/answer`, { decision: 'accepted', answer: 'Keep it.' });
  expect((await shop.owner.submit(path, `${path}/refund`)).status).toBe(303);
  expect(await rowsOf(shop.db, 'SELECT reference FROM refunds')).toEqual([{ reference: shop.reference }]);
});

it('an email about a return has its own answer, even if another return followed before it was sent', async () => {
  const shop = await arrivedOrder();
  await shop.deliver();
  await shop.subjects();
  await shop.server.close();
  for (const [decision, answer] of [
    ['refused', 'It was eaten.'],
    ['accepted', 'Send it to Pune.'],
  ] as const) {
    await shop.requestReturn([{ line: '0', quantity: 1 }]);
    const pages = (await shop.paths()).map(async (path) => ({ path, page: await shop.owner.get(path) }));
    const open = (await Promise.all(pages)).find(({ page }) => page.text.includes('/answer"'));
    await shop.owner.submit(open?.path ?? '', `${open?.path}/answer`, { decision, answer });
    shop.pass(1_000);
  }
  await shop.server.open();
  shop.pass(60_000);
  await shop.subjects();
  const textOf = (start: string) =>
    shop.server.received.find(({ subject }) => subject?.startsWith(start))?.text ?? '';
  expect(textOf('We cannot take back')).toContain('It was eaten.');
  expect(textOf('We accept')).toContain('Send it to Pune.');
});

it('a return whose refund failed stays open until the money has gone back, also by hand', async () => {
  const shop = await arrivedOrder();
  await shop.deliver();
  for (const [line, way] of [
    ['0', 'again'],
    ['1', 'by hand'],
  ] as const) {
    await shop.requestReturn([{ line, quantity: 1 }]);
    const [path = ''] = await shop.paths();
    await shop.owner.submit(path, `${path}/answer`, { decision: 'accepted', answer: 'Keep it.' });
    await shop.owner.submit(path, `${path}/refund`);
    await runSql(
      shop.db,
      "UPDATE refunds SET state = 'refund_failed', noted = 0, words = 'No balance', next_poll_at = NULL WHERE state = 'refunding'",
    );
    expect(mainText((await shop.owner.get(path)).text)).toMatch(/Refund failed\s*No balance/);
    expect(mainText((await shop.owner.get('/admin')).text)).toContain('1 payment needs attention');
    shop.pass(1_000);
    const price = (await shop.order()).items[Number(line)]?.price;
    const payment = `/admin/orders/payments/${shop.reference}`;
    if (way === 'again') await shop.owner.submit(path, `${path}/refund`);
    else await shop.owner.submit(payment, payment, { amount: String(price), note: 'Paid back in cash' });
    await reconcile(shop.services);
    expect(await shop.paths(), way).toEqual([]);
    expect(mainText((await shop.owner.get('/admin')).text), way).not.toContain('needs attention');
  }
});
