import { expect, it } from 'vitest';
import { formatRupees, plainAmount, toPaise } from '#domain/money.ts';
import {
  NOT_ARRIVED,
  RETURN_DAYS_OVER,
  RETURN_PENDING,
  TOO_LATE_TO_WITHDRAW,
  TOO_MUCH_TO_RETURN,
} from '#domain/refusals.ts';
import { RETURNS } from '#server/fulfilment/returns/stored-returns.ts';
import { recordPayment } from '#server/ledger/book.ts';
import { reconcile } from '#server/payments/reconcile.ts';
import { DAY, MINUTE } from '#server/process/clock.ts';
import { replaceStore, requireStore } from '#server/store/stored-store.ts';
import { expectPage, filledForm } from '#tests/server/support/admin.ts';
import { shopWithOrder } from '#tests/server/support/admin-orders.ts';
import { MANGO, PINEAPPLE } from '#tests/server/support/api.ts';
import { METHODS } from '#tests/server/support/payments.ts';
import { rowOf, runSql } from '#tests/server/support/rows.ts';

/** A shop with an order that was paid and is on its way: two mangoes and a pineapple. */
async function shippedOrder() {
  const shop = await shopWithOrder({}, { [MANGO]: 2, [PINEAPPLE]: 1 });
  const { id, owner, db } = shop;
  const reference = await shop.pay(id, { amount: plainAmount(toPaise(shop.total)) });
  await runSql(db, 'UPDATE orders SET status = 2 WHERE id = ?', id);
  const requestReturn = (lines: object, reason = 'It was not ripe.', orderId = id) =>
    shop.ask(`/orders/${orderId}/returns`, { token: shop.token, json: { reason, lines } });
  const paths = async () => pathsOn((await owner.get(RETURNS)).text);
  const answer = (path: string, decision: string, words = 'Keep it.') =>
    owner.submit(path, `${path}/answer`, { decision, answer: words });
  /** Requests a return, and accepts it if there is a message. Returns the path of its page. */
  const returned = async (lines: object, message?: string) => {
    await requestReturn(lines);
    const [path = ''] = await paths();
    if (message) await answer(path, 'accepted', message);
    return path;
  };
  const refund = (path: string, fields?: Record<string, string>) =>
    owner.submit(path, `${path}/refund`, fields);
  return { ...shop, reference, requestReturn, returned, paths, answer, refund };
}

async function arrivedOrder() {
  const shop = await shippedOrder();
  await shop.press('deliver');
  return shop;
}

/** The addresses of the returns that a page lists. */
const pathsOn = (html: string): string[] =>
  [...html.matchAll(/href="(\/admin\/orders\/returns\/[^"]+)"/g)].map(([, path = '']) => path);

const ALL = [
  { line: '0', quantity: 2 },
  { line: '1', quantity: 1 },
];

it('refuses a return before delivery, after the return period, of more than was bought, or twice', async () => {
  const shop = await shippedOrder();
  expect(await shop.requestReturn(ALL)).toMatchObject({ status: 409, json: { error: NOT_ARRIVED } });
  expect(await shop.current()).not.toHaveProperty('returnUntil');
  // Delivered at 15:30 in India: the seventh day ends at midnight there, 8 hours and 30 minutes later.
  await shop.press('deliver');
  const { events, returnUntil = '' } = await shop.current();
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
  const answers = await Promise.all([1, 2, 3].map(() => shop.requestReturn(one)));
  expect(answers.toSorted((a, b) => a.status - b.status)).toMatchObject([
    { status: 201 },
    ...Array(2).fill({ status: 409, json: { error: RETURN_PENDING } }),
  ]);
  expect((await shop.current()).returns).toMatchObject([
    { state: 'asked', lines: one, reason: 'It was not ripe.' },
  ]);
  shop.pass(60 * 60 * 1_000);
  expect(await shop.current()).not.toHaveProperty('returnUntil');
  expect(await shop.requestReturn(one)).toMatchObject({ status: 409, json: { error: RETURN_DAYS_OVER } });
  const requests = (await shop.subjects()).filter((subject) => subject.startsWith('We have your request'));
  expect(requests).toHaveLength(1);
});

it.each([
  ['withdrawn', 'asked', 'is withdrawn', 'refused'],
  ['nothing_came', 'accepted', 'Nothing has come back to us', 'refused'],
  ['refused', 'received', 'We cannot take back', 'refused'],
  ['replaced', 'received', 'We have sent you new goods', 'received'],
] as const)('a return that is %s ends its task, with an email', async (decision, from, text, state) => {
  const shop = await arrivedOrder();
  const path = await shop.returned(ALL, from === 'asked' ? undefined : 'Send it to Pune.');
  if (from === 'received') await shop.owner.submit(path, `${path}/received`);
  const parcel = decision === 'replaced' ? { carrier: 'Delhivery', tracking: 'AB123456789IN' } : {};
  const answer = { decision, answer: 'Because of the box.', ...parcel };
  expect((await shop.owner.submit(path, `${path}/answer`, answer)).status).toBe(303);
  expect(await shop.paths()).toEqual([]);
  expect(await shop.read('/admin')).not.toContain('to answer or settle');
  expect(await shop.read(path)).not.toContain('Send the answer');
  const [returned] = (await shop.current()).returns ?? [];
  expect(returned).toMatchObject({ state, ending: decision, number: 1 });
  const shown = decision === 'replaced' ? 'Because of the box.\nDelhivery AB123456789IN' : answer.answer;
  expect(returned?.answer).toBe(shown);
  await shop.subjects();
  const email = shop
    .sentTo(shop.email)
    .find(({ subject, text: body }) => `${subject} ${body}`.includes(text));
  for (const line of shown.split('\n')) expect(email?.text).toContain(line);
  // Refused pieces may be requested again, replaced ones not.
  expect((await shop.requestReturn(ALL)).status).toBe(state === 'refused' ? 201 : 422);
});

it('a customer withdraws a return until its goods have arrived, once', async () => {
  const shop = await arrivedOrder();
  const withdraw = (number: number | string, token = shop.token) =>
    shop.ask(`/orders/${shop.id}/returns/${number}/withdraw`, { token, json: {} });
  await shop.requestReturn([{ line: '0', quantity: 1 }]);
  expect((await withdraw(1, (await shop.customer()).token)).status).toBe(404);
  for (const unknown of [0, 2, '1.5', 'x']) expect((await withdraw(unknown)).status).toBe(404);
  for (const _ of ['once', 'again'])
    expect(await withdraw(1)).toMatchObject({
      status: 200,
      json: { returns: [{ state: 'refused', ending: 'withdrawn' }] },
    });
  expect((await shop.subjects()).filter((subject) => subject.includes('is withdrawn'))).toHaveLength(1);
  expect(await shop.read()).toContain('withdrew a return');
  shop.pass(1_000);
  const path = await shop.returned([{ line: '0', quantity: 1 }], 'Keep it.');
  await shop.owner.submit(path, `${path}/received`);
  expect(await withdraw(2)).toMatchObject({ status: 409, json: { error: TOO_LATE_TO_WITHDRAW } });
});

it('an order keeps the days to return and to refund with which it was delivered', async () => {
  const shop = await arrivedOrder();
  const { returnUntil } = await shop.current();
  await shop.db.write(async (transaction) =>
    replaceStore(transaction, { ...(await requireStore(transaction)), returnDays: 0 }),
  );
  expect((await shop.current()).returnUntil).toBe(returnUntil);
  const path = await shop.returned(ALL, 'Keep it.');
  await runSql(shop.db, `UPDATE orders SET events = replace(events, '"refundDays":7', '"refundDays":3')`);
  await shop.refund(path);
  await reconcile(shop.services);
  await shop.subjects();
  const returned = shop.sentTo(shop.email).find(({ subject = '' }) => subject.includes('We have returned'));
  expect(returned?.text).toContain('may take up to 3 working days');
});

it('when two staff members answer at once, one answer counts and is emailed', async () => {
  const shop = await arrivedOrder();
  const path = await shop.returned(ALL);
  const form = async ({ get }: typeof shop.owner, decision: string) =>
    filledForm((await get(path)).text, `${path}/answer`, { decision, answer: 'Eaten.' });
  const other = await shop.staff('owner', 'other@example.com');
  const [own, theirs] = [await form(shop.owner, 'accepted'), await form(other, 'refused')];
  const answers = await Promise.all([
    shop.owner.post(`${path}/answer`, own),
    other.post(`${path}/answer`, theirs),
  ]);
  const [first, late] = answers.toSorted((a, b) => a.status - b.status);
  expect(first?.status).toBe(303);
  expectPage(late ?? expect.fail(), 409, 'Someone else was first');
  expect((await shop.current()).returns).toMatchObject([
    { state: expect.toBeOneOf(['accepted', 'refused']) },
  ]);
  const subjects = await shop.subjects();
  expect(subjects.filter((subject) => /^We (?:accept|cannot take back)/.test(subject))).toHaveLength(1);
});

it('a return paid in cash is refunded by hand, at most what was paid, with an email', async () => {
  const shop = await shopWithOrder({ paymentProviders: ['cod'] });
  const { id, owner, send, press } = shop;
  await shop.submit(id, { method: METHODS.cash });
  await press('ship');
  await press('deliver');
  const request = { reason: 'It was not ripe.', lines: [{ line: '0', quantity: 1 }] };
  await shop.ask(`/orders/${id}/returns`, { token: shop.token, json: request });
  const [path = ''] = pathsOn((await owner.get(RETURNS)).text);
  await owner.submit(path, `${path}/answer`, { decision: 'accepted', answer: 'Keep it.' });
  expectPage(await owner.submit(path, `${path}/refund`), 422, 'Book the cash first.');
  await send('payment');
  await owner.submit(path, `${path}/refund`, { how: 'cash' });
  const { items, ...found } = await shop.current();
  const price = items[0]?.price ?? 0;
  const refunds = [{ amount: price, state: 'refunded' }];
  expect(found).toMatchObject({ refunds, returns: [{ state: 'refunded' }] });
  shop.pass(2 * MINUTE);
  await shop.sendDue();
  const subject = `We have returned ${formatRupees(price)}`;
  const text = expect.stringContaining('We gave it back by hand');
  expect(shop.sentTo(shop.email).filter((email) => email.subject === subject)).toMatchObject([{ text }]);
});

it('a return is accepted, received and refunded once; never more than was paid', async () => {
  const shop = await arrivedOrder();
  // A line is named by its row, whatever its place in the list.
  await shop.db.write((transaction) => runSql(transaction, 'UPDATE order_items SET position = position + 7'));
  const path = await shop.returned([{ line: '7', quantity: 1 }]);
  expect(await shop.read('/admin')).toContain('1 return to answer or settle');
  expectPage(await shop.answer(path, 'refused', ''), 422, 'Enter: Message');
  await shop.answer(path, 'accepted', 'Send it to Pune.');
  await shop.owner.submit(path, `${path}/received`);
  expectPage(await shop.refund(path, { amount: '99999' }), 422, 'can be refunded');
  const pages = [await shop.owner.get(path), await shop.owner.get(path)];
  const forms = pages.map(({ text }) => filledForm(text, `${path}/refund`));
  const both = await Promise.all(forms.map((form) => shop.owner.post(`${path}/refund`, form)));
  expect(both.map(({ status }) => status).toSorted()).toEqual([303, 409]);
  const order = await shop.current();
  const price = order.items[0]?.price ?? 0;
  expect(order.refunds).toMatchObject([{ amount: price, state: 'refunding' }]);
  expect(order.returns).toMatchObject([{ state: 'received', answer: 'Send it to Pune.' }]);
  await reconcile(shop.services);
  expect((await shop.current()).returns).toMatchObject([{ state: 'refunded' }]);

  const others = ['7', '8'].map((line) => ({ line, quantity: 1 }));
  const rest = await shop.returned(others, 'Keep it.');
  await shop.refund(rest, { amount: String(shop.total - price) });
  const refunds = (await shop.current()).refunds ?? [];
  expect(refunds.reduce((sum, { amount }) => sum + amount, 0)).toBe(shop.total);
  await reconcile(shop.services);
  expect(await shop.paths()).toEqual([]);
  const more = await shop.requestReturn([{ line: '7', quantity: 1 }]);
  expect(more.json).toEqual({ error: TOO_MUCH_TO_RETURN });
});

it('a return of an order that was paid twice lowers what is owed: the rest is still to refund', async () => {
  const shop = await arrivedOrder();
  const paise = toPaise(shop.total);
  const again = { way: 'sandbox', paise, attempt: shop.reference, externalId: 'other' };
  const book = { services: shop.services, orderNumber: 1, recordedBy: 'Sandbox' };
  await shop.db.write((transaction) => recordPayment({ transaction, ...book }, again));
  const path = await shop.returned(ALL, 'Keep it.');
  expect((await shop.refund(path)).status).toBe(303);
  expect(await rowOf(shop.db, 'SELECT adjusted_paise, to_refund_paise FROM orders')).toEqual({
    adjusted_paise: (await shop.current()).items.reduce(
      (sum, item) => sum + toPaise(item.price) * item.quantity,
      0,
    ),
    to_refund_paise: paise,
  });
});

it('an email about a return has its own answer, even if another return followed before it was sent', async () => {
  const shop = await arrivedOrder();
  await shop.subjects();
  await shop.server.close();
  for (const [decision, answer] of [
    ['refused', 'It was eaten.'],
    ['accepted', 'Send it to Pune.'],
  ] as const) {
    await shop.answer(await shop.returned([{ line: '0', quantity: 1 }]), decision, answer);
    shop.pass(1_000);
  }
  await shop.server.open();
  shop.pass(60_000);
  await shop.subjects();
  const texts = shop.sentTo(shop.email).map(({ subject, text }) => `${subject} ${text}`);
  for (const text of [/^We cannot take back.*It was eaten\./s, /^We accept.*Send it to Pune\./s])
    expect(texts).toContainEqual(expect.stringMatching(text));
});

it('a return whose refund failed stays open until the money has gone back, also by hand', async () => {
  const shop = await arrivedOrder();
  for (const [line, way] of [
    ['0', 'again'],
    ['1', 'by hand'],
  ] as const) {
    const path = await shop.returned([{ line, quantity: 1 }], 'Keep it.');
    await shop.refund(path);
    await runSql(
      shop.db,
      "UPDATE movements SET state = 'failed', needs_review = 1, provider_message = 'No balance' WHERE state = 'requested'",
    );
    expect(await shop.read(path)).toMatch(/Refund failed\s*No balance/);
    expect(await shop.read('/admin')).toContain('1 payment needs attention');
    shop.pass(1_000);
    const price = (await shop.current()).items[Number(line)]?.price;
    if (way === 'again') await shop.refund(path);
    else {
      const [, link = ''] =
        /href="([^"]*refund\?of=[^"]*)"/.exec((await shop.owner.get(shop.page)).text) ?? [];
      await shop.owner.submit(link, link, { amount: String(price), how: 'cash' });
    }
    await reconcile(shop.services);
    expect(await shop.paths(), way).toEqual([]);
    expect(await shop.read('/admin'), way).not.toContain('needs attention');
  }
});
