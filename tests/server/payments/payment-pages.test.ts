import * as v from 'valibot';
import { expect, onTestFinished, test } from 'vitest';
import { formatPaise, formatRupees, plainAmount } from '#domain/money.ts';
import type { Reader } from '#server/db/database.ts';
import { OrderListSchema } from '#server/orders/schema.ts';
import { reconcile } from '#server/payments/reconcile.ts';
import { settlePayment } from '#server/payments/settle.ts';
import { documentOf, expectPage, filledForm, mainText } from '#tests/server/support/admin.ts';
import { cellsOf, idsOn, makeBatch, ORDERS, packing } from '#tests/server/support/admin-orders.ts';
import { MANGO, ORDER_TOTAL, PINEAPPLE } from '#tests/server/support/api.ts';
import { METHODS } from '#tests/server/support/payments.ts';
import { firstValue, rowsOf, runSql } from '#tests/server/support/rows.ts';
import { startCashfree } from '#tests/support/providers/cashfree.ts';
import type { Webhook } from '#tests/support/providers/fake-provider.ts';
import { FAKES } from '#tests/support/providers/pages.ts';

const money = (html: string): string =>
  (documentOf(html).querySelector('[aria-labelledby=money]')?.textContent ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The form of the newest row of an order's money. */
const rowForm = async (db: Reader, id: string, form: string): Promise<string> => {
  const sql = `SELECT movements.id FROM movements JOIN orders ON number = order_number WHERE orders.id = ?
    ORDER BY recorded_at DESC, movements.id`;
  return `bookings/${await firstValue(db, sql, id)}/${form}`;
};

test('lists wrong amounts above the orders until they are resolved', async () => {
  const shop = await packing();
  const { owner, place, pay, sendOf, db } = shop;
  expect(money((await owner.get(ORDERS)).text)).toBe('');
  const id = await place();
  await pay(id, { amount: '1.00' });
  shop.pass(1_000);
  const foreign = await place();
  await pay(foreign, { currency: 'USD' });
  const unreadable = await shop.startPayment(await place());
  const report = { outcome: 'succeeded', amountPaise: undefined, currency: 'INR' } as const;
  await settlePayment(shop.services, 'sandbox', unreadable, report);

  const shown = money((await owner.get(ORDERS)).text);
  expect(shown).toMatch(/order FF-1001-\w{4},/);
  expect(shown).toContain(`${formatPaise(ORDER_TOTAL)} was expected. ${formatRupees(1)} was reported.`);
  expect(shown).toContain(`${plainAmount(ORDER_TOTAL)} USD was reported.`);
  expect(shown).toContain('The amount that was reported cannot be read.');
  expect(shown.indexOf('FF-1001')).toBeLessThan(shown.indexOf('FF-1002'));

  expect(mainText((await owner.get('/admin')).text)).toContain('3 payments need attention');
  const review = await rowForm(db, id, 'review');
  const empty = await sendOf(id, review, { note: ' ' });
  expect(empty.status).toBe(422);
  expect(documentOf(empty.text).querySelector('#field-note-error')?.textContent).toContain('What was done');
  const done = await sendOf(id, review, { note: `Paid back ${formatRupees(1)}` });
  expect(done.location).toBe(`${ORDERS}/${id}`);
  expect(money((await owner.get(ORDERS)).text)).not.toContain('FF-1001');
  const order = (await owner.get(`${ORDERS}/${id}`)).text;
  expect(cellsOf(order).join()).toContain(`resolved a payment: note Paid back ${formatRupees(1)}`);
  expect(await shop.log()).toMatchObject([
    { action: 'resolved a payment', to: `{"note":"Paid back ${formatRupees(1)}"}` },
  ]);

  const rupees = plainAmount(ORDER_TOTAL);
  await sendOf(foreign, await rowForm(db, foreign, 'review'), { note: 'The bank paid it out', rupees });
  expect([await shop.payments(), await shop.statuses()]).toEqual([
    ['partly_paid', 'paid', 'wrong_amount'],
    [0, 1, 0],
  ]);
});

test('answers 404 for a booking that does not exist, and 409 for one that needs nothing', async () => {
  const { owner, place, pay, db } = await packing();
  const id = await place();
  await pay(id);
  expect((await owner.get(`${ORDERS}/${id}/bookings/unknown/review`)).status).toBe(404);
  for (const page of ['review', 'take-back', 'same-money'])
    expect((await owner.get(`${ORDERS}/${id}/${await rowForm(db, id, page)}`)).status, page).toBe(409);
  for (const page of ['write-off', 'not-refunded', 'not-at-the-door'])
    expect((await owner.get(`${ORDERS}/${id}/${page}`)).status, page).toBe(409);
  expect((await owner.get(`${ORDERS}/${await place()}/write-off`)).status).toBe(409);
});

test('shows the refund that is due for a cancelled order', async () => {
  const { owner, place, pay, payments, statuses, report } = await packing();
  const id = await place();
  const path = `${ORDERS}/${id}/cancel`;
  const reference = await pay(id);
  const { text } = await owner.get(path);
  expect(mainText(text)).toContain(`${formatPaise(ORDER_TOTAL)}: Paid. It must be refunded`);
  expect((await owner.post(path, filledForm(text, path))).location).toBe(`${ORDERS}/${id}`);
  expect([await statuses(), await payments()]).toEqual([[4], ['refund_due']]);
  const shown = `${formatPaise(ORDER_TOTAL)} was paid and must be refunded: the order is Cancelled.`;
  expect(money((await owner.get(ORDERS)).text)).toContain(shown);
  await report(reference);
  expect(await payments()).toEqual(['refund_due']);
  expect(mainText((await owner.get(`${ORDERS}/${id}`)).text)).toContain('payment refund due');
});

const TRANSFER = { how: 'bank_transfer', number: 'UTR1' };

test('emails the customer once about a refund by hand, and not about a wrong amount without one', async () => {
  const mail = { via: 'smtp', url: 'smtp://127.0.0.1:9', from: 'orders@shop.example' } as const;
  const { owner, place, pay, db, sendOf } = await packing({ mail });
  const id = await place();
  await pay(id);
  const refund = `${ORDERS}/${id}/refund`;
  await sendOf(id, 'cancel');
  const form = filledForm((await owner.get(refund)).text, refund, { ...TRANSFER, reason: 'Cancelled' });
  for (let time = 0; time < 2; time += 1) expect((await owner.post(refund, form)).status).toBe(303);
  const wrong = await place();
  await pay(wrong, { amount: '1.00' });
  await sendOf(wrong, await rowForm(db, wrong, 'review'), { note: 'We keep it' });
  const kinds = await rowsOf(db, "SELECT kind, to_staff FROM emails WHERE kind LIKE 'moneyReturned%'");
  expect(kinds).toEqual([{ kind: 'moneyReturnedByHand', to_staff: 0 }]);
});

test('a refund by hand is recorded by an owner, and the provider refunds only the rest', async () => {
  const provider = await startCashfree();
  onTestFinished(provider.close);
  const { environment } = provider;
  const shop = await packing({ paymentProviders: ['cashfree'], environment });
  const { packer, owner, place, payments } = shop;
  const id = await place();
  await shop.begin(id);
  const [reference = ''] = provider.references();
  provider.end(reference, { outcome: 'succeeded' }, shop.now());
  shop.pass(2 * 60_000);
  await reconcile(shop.services);
  await shop.sendOf(id, 'cancel');
  const refund = `${ORDERS}/${id}/refund`;
  expect((await packer.get(refund)).status).toBe(403);
  const forged = filledForm((await owner.get(refund)).text, refund, { ...TRANSFER, reason: 'Forged' });
  expect((await packer.post(refund, forged)).status).toBe(403);

  const give = (amount: string, more: object = TRANSFER) =>
    shop.sendOf(id, 'refund', { amount, reason: 'By bank transfer', ...more });
  expect((await give(plainAmount(ORDER_TOTAL + 1))).status).toBe(422);
  expect((await give('0')).status).toBe(422);
  expect((await give('1', { ...TRANSFER, day: '2040-01-01' })).status).toBe(422);
  expect((await give('798')).location).toBe(`${ORDERS}/${id}`);
  const rest = formatPaise(ORDER_TOTAL - 79_800);
  expect(mainText((await owner.get(refund)).text)).toContain(`${rest} can be refunded, ${rest} of it by the`);
  shop.pass(1_000);
  const tooMuch = await give(plainAmount(ORDER_TOTAL), { how: 'provider' });
  expect(mainText(tooMuch.text)).toContain(`At most ${rest} can be refunded by the provider.`);
  expect((await shop.sendOf(id, 'refund', { reason: 'The rest' })).status).toBe(303);
  await reconcile(shop.services);
  expect([provider.refunded(reference), await payments()]).toEqual([ORDER_TOTAL - 79_800, ['refunded']]);
  const sums = v.parse(OrderListSchema, (await shop.ask('/orders', { token: shop.token })).json).data[0]
    ?.refunds;
  expect(sums?.map(({ amount, state }) => [amount, state])).toEqual([
    [798, 'refunded'],
    [(ORDER_TOTAL - 79_800) / 100, 'refunded'],
  ]);
});

const half = formatPaise(ORDER_TOTAL / 2);

async function paidOrder() {
  const shop = await packing();
  const id = await shop.place();
  await shop.pay(id);
  return { ...shop, id, path: `${ORDERS}/${id}/refund`, order: `${ORDERS}/${id}` };
}

test('an owner refunds a part and then the rest, and the log shows who and why', async () => {
  const { owner, services, path, order, log, id, sendOf } = await paidOrder();
  expect((await owner.get(order)).text).toContain(`href="${path}"`);
  const part = { amount: plainAmount(ORDER_TOTAL / 2), reason: 'One was bad' };
  expect((await sendOf(id, 'refund', part)).location).toBe(order);
  await reconcile(services);
  const rows = cellsOf((await owner.get(order)).text).join();
  for (const text of ['Refunded', half, 'One was bad']) expect(rows).toContain(text);
  for (const page of [ORDERS, order, `${order}/slip`, '/admin'])
    expect(mainText((await owner.get(page)).text), page).toContain('Partly refunded');
  expect(idsOn((await owner.get(`${ORDERS}?money=partly_refunded`)).text)).toEqual([id]);
  expect(idsOn((await owner.get(`${ORDERS}?money=paid`)).text)).toEqual([]);
  for (const lines of ['orders', 'items'])
    expect((await owner.submit(`${ORDERS}/export`, `${ORDERS}/export`, { lines })).text).toContain(
      '"Partly refunded","UPI QR"',
    );
  const rest = { amount: plainAmount(ORDER_TOTAL / 2), reason: 'The other, too' };
  expect((await sendOf(id, 'refund', rest)).location).toBe(order);
  await reconcile(services);
  expect((await owner.get(path)).status).toBe(409);
  expect((await owner.get(order)).text).not.toContain(`href="${path}"`);
  expect(await log()).toMatchObject([
    { action: 'refunded money', to: `{"amount":"${half}","reason":"One was bad"}` },
    { action: 'refunded money', to: `{"amount":"${half}","reason":"The other, too"}` },
  ]);
});

test.each([
  ['no amount', { amount: 'all', reason: 'x' }, 'Amount to refund must be an amount'],
  ['no reason', { amount: '1', reason: ' ' }, 'Reason'],
])('%s is refused with a sentence', async (_what, fields, text) => {
  const { id, sendOf } = await paidOrder();
  const answer = await sendOf(id, 'refund', fields);
  expect(answer.status).toBe(422);
  expect(documentOf(answer.text).querySelector('[role=alert]')?.textContent).toContain(text);
});

test('when two owners refund at once, the second sees what has changed', async () => {
  const { owner, staff, path, log } = await paidOrder();
  const second = await staff('owner', 'second@example.com');
  const [mine, theirs] = [(await owner.get(path)).text, (await second.get(path)).text];
  const part = { amount: '1', reason: 'Cancelled' };
  const form = filledForm(mine, path, part);
  expect((await owner.post(path, form)).status).toBe(303);
  expect((await owner.post(path, form)).status).toBe(303);
  const late = await second.post(path, filledForm(theirs, path, part));
  expect(late.status).toBe(409);
  expect(await log()).toHaveLength(1);
});

test('cash is booked as each parcel brought it, and taken back with a reason', async () => {
  const shop = await packing({ paymentProviders: ['cod'] });
  const { owner, place, payments } = shop;
  const ids = [await place(), await place()];
  for (const id of ids) await shop.submit(id, { method: METHODS.cash });
  const cash = `${ORDERS}/cash`;
  const [first = '', second = ''] = ids;
  expect(mainText((await owner.get(cash)).text)).toContain('No parcel that was shipped');
  for (const id of ids) await shop.pressOf(id, 'ship');

  const list = (await owner.get(cash)).text;
  expect(idsOn(list)).toEqual(ids);
  const came = { order: ids, [`brought.${first}`]: '500', amount: '2000', number: 'REMIT-7' };
  for (const [fields, problem] of [
    [came, '₹2,000 came, but these orders add up to ₹2,298: ₹298 is missing.'],
    [{ ...came, isSure: 'on', [`brought.${first}`]: '-5' }, 'brought must be an amount in rupees'],
    [{ ...came, isSure: 'on', day: '2025-01-05' }, 'Day is long before the order was placed'],
    [{ ...came, isSure: 'on', [`seen.${second}`]: '1' }, 'is to collect now. Type what it brought.'],
    [{ ...came, order: [] }, 'No order was ticked.'],
  ] as const)
    expect(mainText((await owner.post(cash, filledForm(list, cash, fields))).text)).toContain(problem);
  expect(await payments()).toEqual(['to_collect', 'to_collect']);
  const form = filledForm(list, cash, { ...came, isSure: 'on' });
  for (let time = 0; time < 2; time += 1) expect((await owner.post(cash, form)).status).toBe(303);
  expect(await payments()).toEqual(['to_collect', 'paid']);
  expect((await shop.log()).filter(({ action }) => action === 'collected the cash')).toHaveLength(2);
  const page = mainText((await owner.get(`${ORDERS}/${first}`)).text);
  expect(page).toContain('REMIT-7');
  expect(page).toContain(`To pay ${formatPaise(ORDER_TOTAL - 50_000)}`);
  expect(mainText((await owner.get(cash)).text)).toContain(`1 shipped, ${formatPaise(ORDER_TOTAL - 50_000)}`);

  const link = /href="([^"]*bookings[^"]*take-back)">Take back/.exec(
    (await owner.get(`${ORDERS}/${second}`)).text,
  );
  const back = link?.[1] ?? '';
  expect((await owner.submit(back, back)).status).toBe(422);
  expect((await shop.packer.get(back)).status).toBe(403);
  await owner.submit(back, back, { reason: 'The courier paid for another order.' });
  expect(await payments()).toEqual(['to_collect', 'to_collect']);
  await shop.sendOf(first, 'write-off', { reason: 'The courier has lost it' });
  expect(await payments()).toEqual(['paid', 'to_collect']);
});

test('doubts a payment of a wrong year, of more than is to pay, and one that is booked already', async () => {
  const { sendOf, place, pay, db, payments } = await packing();
  const [id, other] = [await place(), await place()];
  await pay(other);
  await runSql(db, "UPDATE payment_attempts SET bank_reference = '512345678901'");
  const book = async (fields: Record<string, string>) =>
    documentOf((await sendOf(id, 'payment', fields)).text).querySelector('[role=alert]')?.textContent;
  expect(await book({ day: '2025-01-05' })).toContain('Day is long before the order was placed');
  expect(await book({ amount: '17980' })).toContain('₹1,798 is to pay. Tick the box below if more came.');
  expect(await book({ amount: '100', number: 'utr 4087-1234-5678' })).toBeUndefined();
  for (const number of ['408712345678', 'UTR: 4087 1234 5678', '४०८७१२३४५६७८', '5123 4567 8901'])
    expect(await book({ amount: '100', number }), number).toContain('This number is booked already.');
  expect(await book({ amount: '2000', number: '408712345678', isSure: 'on' })).toBeUndefined();
  expect(await payments()).toEqual(['refund_due', 'paid']);
});

test('pieces are lowered or refunded once, and what was typed wrong is shown again', async () => {
  const { sendOf, placeOrder, token, db } = await packing();
  const { id } = await placeOrder(token, { [MANGO]: 2, [PINEAPPLE]: 30 });
  const lower = (mangoes: string) => sendOf(id, 'lower', { 'line.0': mangoes, reason: 'Missing' });
  const problems = ['3', '1.5', '-1', 'two'].map(async (typed) => {
    const { text } = await lower(typed);
    expect(mainText(text), typed).toContain('must be a number from 0 to 2');
    expect(text).toContain(`value="${typed}"`);
  });
  await Promise.all(problems);
  await lower('१');
  expect(mainText((await lower('2')).text)).toContain('must be a number from 0 to 1');
  expect(await firstValue(db, 'SELECT adjusted_paise FROM orders')).toBe(ORDER_TOTAL / 2);
});

test('asks whether a booking is the money that the provider reports as well, but not of a part and the rest', async () => {
  const { owner, place, startPayment, pay, report, payments, sendOf: send } = await packing();
  const question = async (id: string) =>
    /bookings\/[^"]*same-money/.exec((await owner.get(`${ORDERS}/${id}`)).text)?.[0];
  const id = await place();
  const reference = await startPayment(id);
  await send(id, 'payment', { number: 'UTR1' });
  await report(reference);
  expect(await payments()).toEqual(['refund_due']);
  await send(id, (await question(id)) ?? '');
  expect([await payments(), await question(id)]).toEqual([['paid'], undefined]);
  const other = await place();
  await send(other, 'payment', { amount: '300' });
  await pay(other, { amount: plainAmount(ORDER_TOTAL - 30_000) });
  await send(other, 'cancel');
  expect([await payments(), await question(other)]).toEqual([['paid', 'refund_due'], undefined]);
});

test('the list of cash counts and sums all parcels, and keeps what was ticked on another page', async () => {
  const { owner, place, db } = await packing({ paymentProviders: ['cod'] });
  const id = await place();
  await db.write(async (transaction) => {
    for (let count = 2; count <= 230; count += 1)
      await runSql(
        transaction,
        `INSERT INTO orders (id, customer_id, status, created_at, paid_at_door, total_paise, amounts, address, recipient, phone, postal_code, prefix, suffix)
         SELECT ?, customer_id, 2, created_at, 1, 100, amounts, address, '', '', '', prefix, suffix FROM orders WHERE id = ?`,
        `order ${count}`,
        id,
      );
  });
  const cash = `${ORDERS}/cash`;
  const seen: string[] = [];
  let { text } = await owner.get(cash);
  for (const length of [100, 100, 29]) {
    expect(mainText(text)).toContain(
      `229 shipped, ${formatRupees(229)}; the oldest first, ${length} of them`,
    );
    const page = documentOf(text);
    const shown = [...page.querySelectorAll<HTMLInputElement>('input[type=checkbox][name=order]')].map(
      ({ value }) => value,
    );
    const next = page.querySelector('button[name=after]:not([value="0"])')?.getAttribute('value');
    const form = filledForm(text, cash, { amount: '2.50', ...(next ? { after: next } : {}) });
    form.append('order', shown.at(-1) ?? '');
    seen.push(...shown);
    ({ text } = await owner.post(cash, form));
  }
  expect(new Set(seen).size).toBe(229);
  expect(mainText(text)).toContain(
    `${formatRupees(2.5)} came, but these orders add up to ${formatRupees(3)}`,
  );
  await owner.post(cash, filledForm(text, cash, { isSure: 'on' }));
  expect(mainText((await owner.get(cash)).text)).toContain(`226 shipped, ${formatRupees(226)}`);
});

test('the payment methods show the last characters of keys, the last webhook, and whether the provider answers', async () => {
  const provider = await startCashfree();
  const { owner, packer, place, begin, ask } = await packing({
    paymentProviders: ['cashfree', 'cod'],
    environment: provider.environment,
  });
  const page = (await owner.get('/admin/payment-methods')).text;
  const text = mainText(page);
  expect(text).toContain('Cashfree (test payments)');
  expect(text).toContain('/api/v1/payments/callback/cashfree');
  expect(text).toContain('None has come yet.');
  for (const secret of Object.values(provider.environment).filter(
    (value) => value.length > 8 && !value.includes('/'),
  ))
    expect(page).not.toContain(secret);
  const tryIt = async () => {
    await owner.submit('/admin/payment-methods', '/admin/payment-methods/cashfree');
    return mainText((await owner.get('/admin/payment-methods')).text);
  };
  expect(await tryIt()).toContain('Cashfree answers, and takes the keys.');
  provider.failWith('wrong-key');
  expect(await tryIt()).toContain('Cashfree does not work: it refuses the key');
  expect(mainText((await owner.get('/admin')).text)).not.toContain('This does not work now');
  await begin(await place());
  expect(mainText((await owner.get('/admin')).text)).toContain('Cashfree refuses the key.Since ');
  expect(mainText((await packer.get('/admin')).text)).not.toContain('Cashfree');
  await ask('/payments/callback/cashfree', {
    body: '{}',
    headers: { 'Content-Type': 'application/json', 'x-webhook-signature': 'forged' },
  });
  expect(mainText((await owner.get('/admin/payment-methods')).text)).toMatch(
    /One was refused .*: wrong signature/,
  );
  await provider.close();
});

test.each(Object.entries(FAKES))(
  '%s: news of the provider are tasks until they are noted, and shipping warns',
  async (name, start) => {
    const provider = await start({});
    onTestFinished(provider.close);
    const shop = await packing({ paymentProviders: [name], environment: provider.environment });
    const { owner, place, statuses } = shop;
    const id = await place();
    await shop.begin(id);
    const [reference = ''] = provider.references();
    const paidWebhooks = provider.end(reference, { outcome: 'succeeded', discount: 10_000 }, shop.now());
    const tell = async (webhooks: readonly Webhook[]) => {
      for (const { headers, body } of webhooks)
        await shop.ask(`/payments/callback/${name}`, { body, headers: { ...headers } });
    };
    await tell(paidWebhooks);
    await tell(provider.refundThere(reference, 20_000, shop.now()));
    const dispute = { paise: 39_000, state: 'open', respondBy: Date.UTC(2030, 0, 2) } as const;
    await tell(provider.dispute(reference, dispute, shop.now()));

    expect(mainText((await owner.get('/admin')).text)).toContain('1 payment needs attention');
    const shown = money((await owner.get(ORDERS)).text);
    expect(shown).toMatch(/^.*In dispute, order FF-1001-\w{4}, .*₹390 is in dispute/);
    expect(shown).toMatch(/₹200 was refunded at \w+, not here/);
    const order = `${ORDERS}/${id}`;
    const list = (await owner.get(ORDERS)).text;
    expect(cellsOf(list, '#main form').join()).toContain('In dispute');
    expect(idsOn((await owner.get(`${ORDERS}?money=disputed`)).text)).toEqual([id]);
    expect(idsOn((await owner.get(`${ORDERS}?money=paid`)).text)).toEqual([]);
    const shownOrder = mainText((await owner.get(order)).text);
    expect(shownOrder).toContain('Offer of the payment provider');
    expect(shownOrder.indexOf('₹390 is in dispute')).toBeLessThan(shownOrder.indexOf('Mark as shipped'));
    expect(shownOrder.indexOf('In dispute')).toBeLessThan(shownOrder.indexOf('Mark as shipped'));
    expect(shownOrder).toContain('Answer by 2 January 2030');
    const left = formatPaise(ORDER_TOTAL - 10_000 - 20_000 - 39_000);
    expect(mainText((await owner.get(`${order}/refund`)).text)).toContain(`${left} can be refunded`);

    const { text } = await owner.get(order);
    const unseen = filledForm(text, `${order}/ship`, { tracking: 'AB123' });
    const warned = new URLSearchParams(unseen);
    warned.set(
      'acknowledged',
      documentOf(text).querySelector('[name=acknowledged]')?.getAttribute('value') ?? '',
    );
    expectPage(await owner.post(`${order}/ship`, unseen), 409, 'may lose the goods and the money');
    expect(await statuses()).toEqual([1]);
    const several = await makeBatch(owner, 'ship', { order: id });
    expect(mainText(several.text)).toContain('an owner must look at its money first');
    expect((await owner.post(`${order}/ship`, warned)).status).toBe(303);
    expect(mainText((await owner.get(order)).text)).toMatch(/^(?!.*before you ship it).*AB123/);

    for (const [, task = ''] of (await owner.get(order)).text.matchAll(/href="([^"]*review)">Resolve/g))
      await owner.submit(task, task, { note: 'Answered at the provider' });
    expect(money((await owner.get(ORDERS)).text)).toBe('');
    expect((await shop.log()).at(-1)).toMatchObject({ action: 'resolved a payment' });
    await tell(provider.dispute(reference, { ...dispute, state: 'lost' }, shop.now()));
    expect(money((await owner.get(ORDERS)).text)).toContain('the bank took it back: you lost');
    expect(mainText((await owner.get(order)).text)).toMatch(/Shipped.*: Partly refunded.*Partly refunded/);
  },
);
