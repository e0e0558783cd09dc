import { expect, test } from 'vitest';
import { formatPaise, formatRupees } from '#domain/money.ts';
import { reconcile } from '#server/payments/reconcile.ts';
import { MINUTE } from '#server/process/clock.ts';
import { documentOf, expectPage, filledForm, mainText, readCsv } from '#tests/server/support/admin.ts';
import { cellsOf, idsOn, ORDERS, packing, shopWithOrder } from '#tests/server/support/admin-orders.ts';
import { ADDRESS, ORDER_TOTAL } from '#tests/server/support/api.ts';
import { METHODS } from '#tests/server/support/payments.ts';
import { runSql } from '#tests/server/support/rows.ts';
import { UNLIMITED } from '#tests/support/api.ts';

test('lists orders newest first, in pages that new orders do not shift, filtered by status', async () => {
  const { packer, place } = await packing(UNLIMITED);
  const ids: string[] = [];
  for (let count = 0; count < 33; count += 1) ids.unshift(await place());
  const link = (html: string, name: string) =>
    [...documentOf(html).querySelectorAll('[aria-label=Pages] a')]
      .find(({ textContent }) => textContent === name)
      ?.getAttribute('href');
  const first = (await packer.get(ORDERS)).text;
  expect(idsOn(first)).toEqual(ids.slice(0, 15));
  expect(link(first, 'Newest')).toBeUndefined();
  // A new order does not shift the next page.
  ids.unshift(await place());
  const second = (await packer.get(link(first, 'Older') ?? '')).text;
  expect(idsOn(second)).toEqual(ids.slice(16, 31));
  const third = (await packer.get(link(second, 'Older') ?? '')).text;
  expect(idsOn(third)).toEqual(ids.slice(31));
  expect(link(third, 'Older')).toBeUndefined();
  expect(idsOn((await packer.get(link(third, 'Newest') ?? '')).text)).toEqual(ids.slice(0, 15));

  const [newest = ''] = ids;
  await packer.submit(`${ORDERS}/${newest}`, `${ORDERS}/${newest}/process`);
  expect(idsOn((await packer.get(`${ORDERS}?status=1`)).text)).toEqual([newest]);
  expect(idsOn((await packer.get(`${ORDERS}?status=0`)).text)).not.toContain(newest);
  expect(idsOn((await packer.get(`${ORDERS}?status=3`)).text)).toEqual([]);
  expect(idsOn((await packer.get(`${ORDERS}?status=9&before=x`)).text)).toHaveLength(15);
  expect(link((await packer.get(`${ORDERS}?open=yes`)).text, 'Older')).toContain('?open=yes&before=');
});

test('finds orders by number, name, phone in any form, PIN code, email and day', async () => {
  // It is 15:30 of 5 January 2026 in India.
  const { owner, place, pass, customer, order, ordersOf, token } = await packing();
  const asha = await place();
  const typed = { fullName: 'Meera 100% KULKARNI_', phone: '098201-12345', postalCode: '560 001' };
  const meera = await place(typed);
  pass(8.6 * 60 * 60 * 1_000); // half past midnight in India
  const late = await place({ fullName: 'झाँसी रानी', phone: '९८७६५ ४३२१०', postalCode: '284001' });
  const other = await customer('bina@example.com');
  await order(other.token);

  const post = (fields: Record<string, string>) =>
    owner.post(`${ORDERS}/search`, new URLSearchParams({ text: '', day: '', ...fields }));
  const search = async (fields: Record<string, string>) => idsOn((await post(fields)).text);
  const { number } = (await ordersOf(token)).find(({ id }) => id === meera) ?? expect.fail();
  for (const text of [
    ...[
      meera,
      meera.slice(0, 8),
      ...[number, number.toLowerCase().replaceAll('-', ' '), 'FF-1002', 'ff1002', '1002'],
      'FF – १००२',
      'kulkarni',
      ' Meera ',
      '100%',
      '%',
    ],
    ...['KULKARNI_', '+91 98201 12345', '9820112345', '12345', '09820112345', '+919820112345'],
    ...['(98201) 12345', '560001', '560 001'],
  ])
    expect(await search({ text }), text).toEqual([meera]);
  for (const text of ['_ulkarni', 'nobody', '98201', "' OR 1=1 --", '\\'])
    expect(await search({ text }), text).toEqual([]);
  expect(await search({ text: 'रानी' })).toEqual([late]);
  expect(await search({ text: 'Bina@Example.com' })).toHaveLength(1);
  expect(await search({ text: 'asha@example.com' })).toEqual([late, meera, asha]);
  expect(await search({ day: '2026-01-05' })).toEqual([meera, asha]);
  expect(await search({ day: '2026-01-06', text: '284001' })).toEqual([late]);
  expect(await search({ day: '2026-01-05', text: '284001' })).toEqual([]);
  const zoya = await place({ fullName: 'JOSÉ ज़ोया' });
  for (const text of ['ज़ोया', '\u095bोया', 'जोया', 'jose\u0301', 'José\u00a0\u091c\u093cोया', 'ｊｏｓｅ'])
    expect(await search({ text }), text).toEqual([zoya]);
  expect((await post({})).location).toBe(ORDERS);
  const wrong = await post({ text: 'x'.repeat(201), day: '5 Jan' });
  expect(wrong.status).toBe(422);
  expect(documentOf(wrong.text).querySelector('[role=alert]')).toBeNull();
  expect(documentOf(wrong.text).querySelector('#field-day-error')?.textContent).toContain('2026-01-05');
});

test('pages through search results by a form, without the search text in an address', async () => {
  const { packer, place } = await packing();
  const ids: string[] = [];
  for (let count = 0; count < 16; count += 1) ids.unshift(await place());
  const first = await packer.post(`${ORDERS}/search`, new URLSearchParams({ text: 'Asha', day: '' }));
  expect(idsOn(first.text)).toEqual(ids.slice(0, 15));
  const page = documentOf(first.text);
  const forms = [...page.querySelectorAll('form[action$=search]')];
  expect(forms.map((form) => form.getAttribute('method'))).toEqual(['post', 'post']);
  for (const link of page.querySelectorAll('a')) expect(link.getAttribute('href')).not.toContain('Asha');
  const hidden = new URLSearchParams({ text: 'Asha', day: '' });
  for (const input of forms[1]?.querySelectorAll('input') ?? []) hidden.set(input.name, input.value);
  expect(idsOn((await packer.post(`${ORDERS}/search`, hidden)).text)).toEqual(ids.slice(15));
});

test('shows the items, customer, address, payments and history of an order', async () => {
  const { id, owner, pay, pass, email, db, page: path } = await shopWithOrder();
  await runSql(db, "UPDATE order_items SET size = 'L', color = 'red'");
  pass(MINUTE);
  const reference = await pay(id);
  const { text } = await owner.get(path);
  const page = documentOf(text);
  expect(cellsOf(text).slice(0, 4)).toEqual([
    'Alphonso Mango, box of 6 L, red',
    '2',
    formatRupees(899),
    formatRupees(2 * 899),
  ]);
  expect(page.querySelector('a[href^="tel:"]')?.getAttribute('href')).toBe('tel:+919876543210');
  expect(page.querySelector('a[href^="mailto:"]')?.textContent).toBe(email);
  expect(cellsOf(text)).toEqual(expect.arrayContaining(['Paid', 'UPI QR, Sandbox', reference]));
  expect(mainText(text)).toContain(`Total ${formatPaise(ORDER_TOTAL)}`);
  expect(mainText(text)).toMatch(
    new RegExp(
      `HistoryNewest firstWhenWhatWho.*Payment: ${formatPaise(ORDER_TOTAL)}Sandbox.*started: UPI QRCustomer.*PlacedCustomer$`,
    ),
  );
  expect((await owner.get(`${ORDERS}/00000000-0000-4000-8000-000000000000`)).status).toBe(404);
});

/** The lines of an order's history about its payment and the refunds, the newest first. */
const moneyOf = (html: string): string[] =>
  [...documentOf(html).querySelectorAll('table')]
    .filter((table) => table.querySelector('caption')?.textContent === 'Newest first')
    .flatMap((table) => [...table.querySelectorAll('tbody tr')])
    .map((row) =>
      [...row.querySelectorAll('td')].map((cell) => cell.querySelector('time')?.dateTime ?? cell.textContent),
    )
    .filter(([, what]) => /^Payment|^Refund/.test(what ?? ''))
    .map((cells) => cells.join(' | '));

test('the history still shows when an order was paid after its refunds', async () => {
  const { id, page, owner, startPayment, report, pass, now, services, send } = await shopWithOrder();
  const begin = now();
  const reference = await startPayment(id);
  const part = `${page}/refund`;
  for (const step of [
    () => report(reference),
    () => owner.submit(part, part, { amount: '1', reason: 'One was bad' }),
    () => reconcile(services),
    () => send('cancel'),
    () => owner.submit(part, part, { amount: '1797', reason: 'Cancelled' }),
    () => reconcile(services),
  ]) {
    pass(MINUTE);
    await step();
  }
  const at = (minutes: number) => new Date(begin + minutes * MINUTE).toISOString();
  const all = formatPaise(ORDER_TOTAL);
  expect(moneyOf((await owner.get(page)).text)).toEqual([
    `${at(6)} | Refunded: ${formatPaise(ORDER_TOTAL - 100)} | owner@example.com`,
    `${at(3)} | Refunded: ${formatRupees(1)} | owner@example.com`,
    `${at(1)} | Payment: ${all} | Sandbox`,
    `${at(0)} | Payment of ${all} started: UPI QR | Customer`,
  ]);
});

test('an order is processed, shipped with a tracking number and delivered, and the log shows it', async () => {
  const { id, page: path, packer, owner, statuses, log, ask, token, db } = await shopWithOrder();
  await runSql(db, 'UPDATE orders SET received_paise = total_paise');
  const buttons = async () =>
    [...documentOf((await packer.get(path)).text).querySelectorAll('main form button')]
      .map((one) => one.textContent)
      .filter((text) => text !== 'Add the note' && text !== 'This parcel has left, another follows');
  expect(await buttons()).toEqual(['Mark as processing']);
  await packer.submit(path, `${path}/process`);
  expect(await buttons()).toEqual(['Mark as shipped']);
  const tooLong = await packer.submit(path, `${path}/ship`, { tracking: 'x'.repeat(61) });
  expect([tooLong.status, await statuses()]).toEqual([422, [1]]);
  expect(documentOf(tooLong.text).querySelector('#field-tracking')?.getAttribute('value')).toHaveLength(61);
  const shipped = await packer.submit(path, `${path}/ship`, { tracking: ' EM123456789IN ' });
  expect(shipped.location).toBe(path);
  expect(mainText((await packer.get(path)).text)).toContain('Tracking number: EM123456789IN');
  await packer.submit(path, `${path}/tracking`, { tracking: 'EM1' });
  // Saving the same number again adds no line to the log.
  await packer.submit(path, `${path}/tracking`);
  await packer.submit(path, `${path}/deliver`);
  expect([await buttons(), await statuses()]).toEqual([['Save the number'], [3]]);
  const cancel = await owner.get(`${path}/cancel`);
  expectPage(cancel, 409, 'Delivered');
  expect(await log()).toEqual(
    [
      ['processed', '{"status":"Pending"}', '{"status":"Processing"}'],
      ['shipped', '{"status":"Processing"}', '{"status":"Shipped","tracking":"EM123456789IN"}'],
      ['changed the tracking number', '{"tracking":"EM123456789IN"}', '{"tracking":"EM1"}'],
      ['delivered', '{"status":"Shipped"}', '{"status":"Delivered"}'],
    ].map(([action, from, to]) => ({ who: packer.email, action, id, from, to })),
  );
  expect(JSON.stringify((await ask('/orders', { token })).json)).toContain('"number":"EM1"');
});

test('a second staff member who presses the same button at once learns the status from the refusal', async () => {
  const { number, page, staff, owner, statuses, log } = await shopWithOrder();
  const other = await staff('owner', 'other@example.com');
  /** Both open their pages, and then send the forms at once. */
  const atOnce = async (mine: string, theirs: string, place = page) => {
    const forms = [
      filledForm((await other.get(place)).text, `${page}/${mine}`),
      filledForm((await owner.get(page)).text, `${page}/${theirs}`),
    ] as const;
    const both = [other.post(`${page}/${mine}`, forms[0]), owner.post(`${page}/${theirs}`, forms[1])];
    return (await Promise.all(both)).toSorted((a, b) => a.status - b.status);
  };
  const [done, refused] = await atOnce('process', 'process');
  expect(done?.status).toBe(303);
  expectPage(refused ?? expect.fail(), 409, `${number} is Processing; this needs an order that is Pending`);
  expect([await statuses(), (await log()).length]).toEqual([[1], 1]);
  const ends = await atOnce('cancel', 'ship', `${page}/cancel`);
  expect([ends.map(({ status }) => status), (await log()).length]).toEqual([[303, 409], 2]);
});

test('warns of a wrong payment amount before an order is cancelled', async () => {
  const { id, page, pay, read } = await shopWithOrder();
  await pay(id, { amount: '1.00' });
  const text = await read(`${page}/cancel`);
  const total = formatPaise(ORDER_TOTAL);
  expect(text).not.toContain('Nothing was paid');
  expect(text).toContain(`₹1: Wrong amount. ${total} was expected. ₹1 was reported.`);
});

test('a cash order of an unconfirmed email is to confirm, not to pack, until the staff have called or it is confirmed', async () => {
  const shop = await packing({ paymentProviders: ['cod'], confirmCash: true });
  const { owner, db } = shop;
  await runSql(db, 'UPDATE customers SET email_verified = 0');
  const [first, second] = [await shop.place(), await shop.place()];
  for (const id of [first, second]) await shop.submit(id, { method: METHODS.cash });
  const toPack = async () => idsOn((await owner.get(`${ORDERS}?status=1`)).text);
  const toConfirm = async () => idsOn((await owner.get(`${ORDERS}?confirm=yes`)).text);
  expect([await toPack(), await toConfirm()]).toEqual([[], [second, first]]);
  expect(mainText((await owner.get('/admin')).text)).toContain('2 cash orders to confirm');
  const csv = await owner.submit(`${ORDERS}/export`, `${ORDERS}/export`);
  expect(readCsv(csv.text)[1]).toContain('To confirm');

  const page = `${ORDERS}/${first}`;
  expectPage(await owner.get(page), 200, 'has not confirmed the email asha@example.com');
  await owner.submit(page, `${page}/called`);
  expect([await toPack(), await toConfirm()]).toEqual([[first], [second]]);
  await runSql(db, 'UPDATE customers SET email_verified = 1');
  expect([await toPack(), await toConfirm()]).toEqual([[second, first], []]);
  expect((await owner.get('/admin')).text).not.toContain('to confirm');
});

async function orderToCorrect() {
  const shop = await shopWithOrder();
  await shop.sendDue();
  shop.server.received.length = 0;
  const path = `${shop.page}/correct`;
  const correct = (fields: Record<string, string>) => shop.owner.submit(path, path, fields);
  const address = async () => (await shop.current()).shippingAddress;
  const extras = async () => (await shop.current()).extras;
  return { ...shop, path, correct, address, extras };
}

test('the staff correct name, phone and note: the slip follows, the customer gets an email, and the log names nobody', async () => {
  const { owner, page, number, path, correct, sendDue, server, email, address, read, extras } =
    await orderToCorrect();
  expect((await owner.get(page)).text).toContain(path);
  const changes = { fullName: 'Asha R. Rao', phone: '98200 12345', 'extra-note': 'Ring  twice' };
  expect((await correct(changes)).location).toBe(page);
  expect(await address()).toEqual({ ...ADDRESS, fullName: 'Asha R. Rao', phone: '98200 12345' });
  expect(await extras()).toMatchObject([{ name: 'note' }]);
  expect(await read(`${page}/slip`)).toMatch(/Asha R\. Rao.*98200 12345.*Note to the courier: Ring/);
  await sendDue();
  const [subject, text] = [`We have corrected your order ${number}`, expect.stringContaining('Asha R. Rao')];
  expect(server.received).toMatchObject([{ recipients: [email], subject, text }]);
  expect(cellsOf((await owner.get(page)).text)).toContain(
    'corrected: changed Name, Phone, Note to the courier',
  );
  expect((await correct({ 'extra-note': '' })).location).toBe(page);
  expect(await extras()).toBeUndefined();
  await correct({});
  expect((await owner.get(page)).text).toContain('Nothing was changed.');
});

test('a wrong value is said at its field, and nothing is changed', async () => {
  const { correct, sendDue, server, extras } = await orderToCorrect();
  const wrong = await correct({ city: ' ', 'extra-gstin': '27AAPFU0939F1ZW', 'extra-note': 'x'.repeat(201) });
  const errorOf = (name: string) => documentOf(wrong.text).querySelector(`#field-${name}-error`)?.textContent;
  expect([wrong.status, errorOf('city'), errorOf('extra-gstin'), errorOf('extra-note')]).toEqual([
    422,
    'Enter: City',
    'Check the GSTIN, such as 27AAPFU0939F1ZV: a character of it is wrong',
    'Use no more than 200 characters',
  ]);
  await sendDue();
  expect([server.received, await extras()]).toEqual([[], undefined]);
});

test('a shipped order can no longer be corrected, not even by a form that was open', async () => {
  const { id, pay, owner, page, path, press, address } = await orderToCorrect();
  const open = filledForm((await owner.get(path)).text, path, { fullName: 'Meera Rao' });
  await pay(id);
  await press('ship');
  expect((await owner.get(page)).text).not.toContain(path);
  expect([(await owner.get(path)).status, (await owner.post(path, open)).status]).toEqual([409, 409]);
  expect(await address()).toEqual(ADDRESS);
});
