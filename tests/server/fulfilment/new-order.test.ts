import { expect, it } from 'vitest';
import { FORM_KEY } from '#server/admin/change.ts';
import { eraseExpiredData } from '#server/privacy/retention.ts';
import { DAY } from '#server/process/clock.ts';
import { replaceStore, requireStore } from '#server/store/stored-store.ts';
import { documentOf, expectPage, filledForm, mainText } from '#tests/server/support/admin.ts';
import { cellsOf, ORDERS, packing } from '#tests/server/support/admin-orders.ts';
import { ADDRESS, MANGO, PINEAPPLE } from '#tests/server/support/api.ts';
import { rowsOf, runSql, valuesOf } from '#tests/server/support/rows.ts';

/* Orders that the staff take by phone, for a customer with or without an account. */

const NEW = `${ORDERS}/new`;
const PHONE = '0 98765-43210';
const EMAIL = 'meera@example.com';
const TYPED = { ...ADDRESS, phone: PHONE, way: 'door' };
const TWO_MANGOES = { 'line-id': MANGO, 'line-size': '', 'line-color': '', 'line-pieces': '2' };

async function phoneShop() {
  const shop = await packing({ paymentProviders: ['cod', 'sandbox'] });
  const { owner, db } = shop;
  /** Fills in the form and presses a button of it. */
  const fillIn = async (fields = {}, step = 'look') => {
    const form = filledForm((await owner.get(NEW)).text, NEW, { ...TYPED, ...TWO_MANGOES, ...fields, step });
    return owner.post(NEW, form);
  };
  /** Presses a button of the page that asks. */
  const press = ({ text }: { text: string }, fields = {}) =>
    owner.post(NEW, filledForm(text, NEW, { step: 'place', ...fields }));
  const place = async (fields = {}) => press(await fillIn(fields));
  const orders = () =>
    rowsOf(
      db,
      'SELECT id, customer_id AS account, contact_email AS email, status, money FROM orders ORDER BY number',
    );
  const track = (id: unknown, contact: string) =>
    shop.ask(`/orders/${id}?contactInfo=${encodeURIComponent(contact)}`);
  return { ...shop, fillIn, press, place, orders, track };
}

it('an order without an account is a whole one: stock, cash, slip, Find, file, tracking by phone and email, and no page of a later account', async () => {
  const shop = await phoneShop();
  const { owner, packer, db, ask, press, fillIn, orders, track, sentTo } = shop;
  await runSql(db, "INSERT INTO stock (product_id, size, pieces) VALUES ('mango', '', 7)");
  const found = await fillIn({ q: 'vazha pine', 'line-pieces': '2' }, 'find');
  expect(cellsOf(found.text)).toEqual(expect.arrayContaining(['Vazhakulam Pineapple', '₹99.50']));
  const typed = filledForm(found.text, NEW, {
    email: ` ${EMAIL.toUpperCase()} `,
    'extra-note': 'Ring',
    step: 'look',
  });
  expect(typed.getAll('line-id')).toEqual([MANGO, PINEAPPLE]);
  const asked = await owner.post(NEW, typed);
  expectPage(asked, 200, 'Total ₹1,798');
  // Looking takes nothing.
  expect(await valuesOf(db, 'SELECT pieces FROM stock')).toEqual([7]);
  const once = await press(asked);
  const again = await press(asked);
  expect([once.status, again.location]).toEqual([303, once.location]);
  const [{ id } = {}, ...others] = await orders();
  expect([others, await valuesOf(db, 'SELECT pieces FROM stock')]).toEqual([[], [5]]);
  expect(await orders()).toEqual([{ id, account: null, email: EMAIL, status: 1, money: 'to_collect' }]);
  // The first page is still open in the browser: its key is used up.
  typed.set('step', 'place');
  expectPage(await owner.post(NEW, typed), 409, 'already sent');

  const page = await owner.get(`${ORDERS}/${id}`);
  expect(mainText(page.text)).toMatch(/Customer: meera@example\.com, no account.*Note to the courier: Ring/);
  expect(page.text).not.toContain('Cancel all open orders of this customer');
  expect(cellsOf(page.text)).toContain('owner@example.com');
  expect(mainText((await packer.get(`${ORDERS}/${id}/slip`)).text)).toMatch(/Collect ₹1,798/);
  const search = filledForm((await owner.get(ORDERS)).text, `${ORDERS}/search`, { text: 'meera@' });
  expect((await owner.post(`${ORDERS}/search`, search)).text).toContain(`${ORDERS}/${id}`);
  const file = await owner.submit(`${ORDERS}/export`, `${ORDERS}/export`);
  expect(file.text).toContain(EMAIL);

  await shop.sendDue();
  expect(sentTo(EMAIL)).toMatchObject([{ subject: expect.stringMatching(/^We have your order/) }]);
  // The address was dictated: it may be another person's.
  expect(sentTo(EMAIL)[0]?.text).not.toMatch(/MG Road|Confirm this email|payment/);
  for (const contact of [EMAIL, '+91 98765 43210', '9876543210'])
    expect((await track(id, contact)).status).toBe(200);
  expect((await track(id, 'asha@example.com')).status).toBe(404);
  const { token } = await shop.customer(EMAIL);
  expect(await shop.ordersOf(token)).toEqual([]);
  expect((await ask(`/orders/${id}/cancel`, { token, json: {} })).status).toBe(404);
});

it('an account gets the order only if the staff choose it, also one that is known by the phone alone', async () => {
  const { place, fillIn, press, orders, email, token, ordersOf, order, sendDue, sentTo, server } =
    await phoneShop();
  await place({ email });
  expect(await orders()).toMatchObject([{ account: null, email }]);
  expect(await ordersOf(token)).toEqual([]);
  await order(token);
  const asked = await fillIn({ way: 'later', language: 'hi' });
  expect(mainText(asked.text)).toContain(`The account ${email}`);
  const account = [...documentOf(asked.text).querySelectorAll('[name=account]')]
    .at(-1)
    ?.getAttribute('value');
  await sendDue();
  server.received.length = 0;
  await press(asked, { account });
  expect((await orders()).at(-1)).toMatchObject({ account, email: null, status: 0, money: 'unpaid' });
  expect(await ordersOf(token)).toHaveLength(2);
  await sendDue();
  // Its email is the account's own, and leads to the payment.
  expect(sentTo(email)).toMatchObject([{ text: expect.stringMatching(/धन्यवाद[\s\S]*\/payment\?orderId=/) }]);
});

it('rules of goods hold for the staff; those of the whole order, its place and its customer are asked once', async () => {
  const { db, owner, fillIn, press, place, orders, now } = await phoneShop();
  await runSql(db, "INSERT INTO stock (product_id, size, pieces) VALUES ('mango', '', 2)");
  expectPage(await fillIn({ 'line-pieces': '3' }), 422, '“Alphonso Mango, box of 6”: only 2 left.');
  expectPage(await fillIn({ 'line-id': 'kurta' }), 422, 'choose a size');
  expectPage(await fillIn({ 'line-pieces': '', phone: '12', way: '' }), 422, 'Choose how it is paid');

  const record = await requireStore(db);
  const day = new Date(now()).toISOString().slice(0, 10);
  const pause = { from: day, until: day, sentence: '' };
  const cashOnDelivery = { most: 1_000, pinCodes: ['56'] };
  const fine = await fillIn();
  const closed = { ...record, pause, served: ['56'], cashOnDelivery };
  await db.write((transaction) => replaceStore(transaction, closed));
  // What has changed since the page was shown is asked; nothing is stored.
  const asked = await press(fine);
  expectPage(asked, 409, 'We take no orders until');
  for (const rule of ['We do not deliver to 411001', 'we do not collect cash there', 'up to ₹1,000 in cash'])
    expect(mainText(asked.text)).toContain(rule);
  await runSql(db, `UPDATE products SET dto = replace(dto, '899', '950') WHERE id = 'mango'`);
  const dearer = await press(asked);
  expectPage(dearer, 409, 'This order costs ₹1,900 now.');
  const blocks = '/admin/customers/blocks';
  const block = { phone: '+91 98765 43210', scope: 'orders', until: day, reason: 'Refused three', email: '' };
  await owner.submit(blocks, blocks, { ...block, address: '', postalCode: '' });
  const blocked = await press(dearer);
  expectPage(blocked, 409, 'Refused three');
  expect(await orders()).toEqual([]);
  expect((await press(blocked)).status).toBe(303);
  expect(await orders()).toHaveLength(1);
  expectPage(await place(), 422, 'is sold out');
});

it('what was paid is booked on the next page, and what was typed outlives the session', async () => {
  const { owner, db, fillIn, press, orders, browser } = await phoneShop();
  const asked = await fillIn({
    way: 'paid',
    'line-id': [MANGO, MANGO, PINEAPPLE],
    'line-size': ['', '', ''],
    'line-color': ['', '', ''],
    'line-pieces': ['1', '2', '0'],
  });
  const stranger = browser();
  const kept = await stranger.post(NEW, filledForm(asked.text, NEW, { step: 'place' }));
  expectPage(kept, 401, 'You were signed out');
  const { location = '' } = await press(kept);
  expect(await orders()).toMatchObject([{ status: 0, money: 'unpaid', email: null }]);
  expect(location).toMatch(/\/payment$/);
  await owner.submit(location ?? '', location ?? '', { way: 'own_upi', number: '408712345678' });
  expect(await orders()).toMatchObject([{ status: 1, money: 'paid' }]);
  expect(await valuesOf(db, 'SELECT quantity FROM order_items ORDER BY position')).toEqual([1, 2]);
  // Secrets are not shown again.
  const secret = new URLSearchParams({ [FORM_KEY]: 'x'.repeat(20), current: 'mangoes' });
  expect((await stranger.post('/admin/password', secret)).status).toBe(303);
});

it('an order without an account can be corrected, and is erased half a year later, once nothing is to collect', async () => {
  const { db, owner, staff, place, orders, services, passWatched, sendDue, sentTo } = await phoneShop();
  await place({ email: 'wrong@example.com', 'extra-note': 'Ring' });
  const [{ id } = {}] = await orders();
  const page = `${ORDERS}/${id}`;
  await owner.submit(`${page}/correct`, `${page}/correct`, { email: EMAIL });
  await sendDue();
  expect(sentTo(EMAIL).map(({ subject }) => subject)).toContainEqual(
    expect.stringMatching(/^We have corrected your order/),
  );
  for (const step of ['ship', 'deliver']) await owner.submit(page, `${page}/${step}`);
  const left = async () => {
    await eraseExpiredData(services);
    return valuesOf(db, "SELECT recipient || '|' || phone || '|' || coalesce(contact_email, '') FROM orders");
  };
  await passWatched(181 * DAY);
  expect(await left()).toEqual([`asha rao|9876543210|${EMAIL}`]);
  const later = await staff('owner', 'later@example.com');
  await later.submit(`${page}/write-off`, `${page}/write-off`, { reason: 'Never came' });
  expect(await left()).toEqual(['||']);
});

it('somebody without an account gets a copy of what is stored, and has it erased once the order is over', async () => {
  const { db, owner, place, orders, log } = await phoneShop();
  const customers = '/admin/customers';
  await place({ email: EMAIL, way: 'later' });
  const [{ id } = {}] = await orders();
  const page = `${ORDERS}/${id}`;
  await owner.submit(page, `${page}/note`, { body: 'Calls on Sundays' });
  const press = async (contact: string, action: 'data' | 'erase') => {
    const { text } = await owner.submit(customers, `${customers}/search`, { contact });
    const path = `${customers}/contact/${action}`;
    return owner.post(path, filledForm(text, path));
  };
  const stored = [
    { email: EMAIL, staffNotes: [{ text: 'Calls on Sundays' }], emails: [{ kind: 'orderPlaced' }] },
  ];
  for (const contact of [EMAIL, '+91 98765 43210'])
    expect((await press(contact, 'data')).json).toMatchObject({ orders: stored });
  const left = () =>
    valuesOf(db, "SELECT recipient || '|' || phone || '|' || coalesce(contact_email, '') FROM orders");
  await press(PHONE, 'erase');
  expect(await left()).toEqual([`asha rao|9876543210|${EMAIL}`]);
  await owner.submit(`${page}/cancel`, `${page}/cancel`);
  await press(PHONE, 'erase');
  expect(await left()).toEqual(['||']);
  expect(await valuesOf(db, 'SELECT body FROM staff_notes UNION ALL SELECT kind FROM emails')).toEqual([]);
  expect(JSON.stringify(await log())).not.toMatch(/meera|98765|Sundays/);
});
