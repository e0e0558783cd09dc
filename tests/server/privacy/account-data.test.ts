import { expect, it, test } from 'vitest';
import { recordPayment } from '#server/ledger/book.ts';
import { recordRefund } from '#server/ledger/refund.ts';
import { NOT_PERSONAL, PERSONAL_DATA } from '#server/privacy/personal-data.ts';
import { eraseExpiredData } from '#server/privacy/retention.ts';
import { DAY } from '#server/process/clock.ts';
import { expectPage } from '#tests/server/support/admin.ts';
import { shopWithOrder } from '#tests/server/support/admin-orders.ts';
import { ADDRESS, ORDER_TOTAL, PASSWORD, withCustomer } from '#tests/server/support/api.ts';
import { emailsApi } from '#tests/server/support/emails.ts';
import { firstValue, rowOf, rowsOf, runSql, TABLE_NAMES } from '#tests/server/support/rows.ts';

type Api = Awaited<ReturnType<typeof emailsApi>>;

/** A shop with an order whose payment is open. */
async function shopWithPayment() {
  const shop = await shopWithOrder();
  return { ...shop, reference: await shop.startPayment(shop.id) };
}

const requestDeletion = async (api: Api, token: string): Promise<void> => {
  expect((await api.ask('/users/delete', { token, json: { current: PASSWORD } })).status).toBe(200);
  await api.sendDue();
};

const confirm = (api: Api) =>
  api.ask('/users/confirm-deletion', { json: { token: api.secretOf('account-data') } });

async function deleteByEmail(api: Api, token: string): Promise<void> {
  await requestDeletion(api, token);
  expect((await confirm(api)).status).toBe(200);
  await api.sendDue();
}

/** The name and address of an order as they are stored. */
const addressOf = async ({ db }: Api, id: string): Promise<unknown> =>
  JSON.parse(String(await firstValue(db, 'SELECT address FROM orders WHERE id = ?', id)));

/** All rows of the database, except the admin's log. */
async function everythingStored({ db }: Api): Promise<string> {
  const tables = TABLE_NAMES.filter((table) => table !== 'admin_log');
  const rows = await Promise.all(tables.map((table) => rowsOf(db, `SELECT * FROM ${table}`)));
  return JSON.stringify(rows);
}

/** Texts that name the customer of these tests. */
const PERSONAL_TEXTS = [
  ...[ADDRESS.fullName, ADDRESS.address, ADDRESS.phone, '9876543210'],
  ...['Asha', 'asha@', 'person.new@'],
];

const personalIn = (text: string): string[] => PERSONAL_TEXTS.filter((personal) => text.includes(personal));

test('every table of the database is listed as personal or not', () => {
  const known = [...Object.values(PERSONAL_DATA).flatMap(({ tables }) => tables), ...NOT_PERSONAL];
  expect(TABLE_NAMES.toSorted()).toEqual(known.sort());
});

it('the export has the account, sessions, devices, orders with payments, and emails', async () => {
  const api = await shopWithPayment();
  const { token, email, id } = api;
  await api.sendDue();
  const other = await api.customer();
  await api.placeOrder(other.token);

  const answer = await api.ask('/users/data', { token });
  const [file, cached] = ['content-disposition', 'cache-control'].map((name) => answer.headers.get(name));
  expect([file, cached]).toEqual([
    'attachment; filename="everything-about-me.json"',
    expect.stringContaining('no-store'),
  ]);
  expect(answer.json).toEqual({
    account: [{ email, firstName: 'Asha', lastName: 'Rao', createdAt: expect.any(String), language: null }],
    newEmail: [],
    signedIn: [{ until: expect.any(String) }],
    devices: [{ lastSignIn: expect.any(String) }],
    orders: [
      expect.objectContaining({
        id,
        shippingAddress: ADDRESS,
        payments: [expect.objectContaining({ state: 'open', amountPaise: 179_800 })],
        movements: [],
      }),
    ],
    staffNotes: [],
    blocks: [],
    orderKeys: [],
    // They are of the same moment, so in any order.
    emails: expect.arrayContaining([{ kind: 'orderPlaced', state: 'sent', at: expect.any(String) }]),
  });
  expect(answer.text).not.toContain(other.email);
  expect((await api.ask('/users/data')).status).toBe(401);
});

it('an account deleted while an order is open: the order is delivered, and then only what the law requires is left', async () => {
  const api = await shopWithOrder();
  const { id, token, email, press, read } = api;
  await runSql(api.db, 'UPDATE orders SET received_paise = total_paise');
  await press('process');
  const message = { name: ADDRESS.fullName, email, subject: 'Asha', message: 'Asha' };
  expect((await api.ask('/contact', { json: message })).status).toBe(200);
  await api.sendDue();
  const newEmail = { email: 'person.new@example.com', current: PASSWORD };
  expect((await api.ask('/users/email', { token, json: newEmail })).status).toBe(200);
  await api.sendDue();
  // Two links, because a customer may request the email again.
  await requestDeletion(api, token);
  await deleteByEmail(api, token);
  expect(api.server.received.some(({ subject }) => / is deleted$/.test(subject ?? ''))).toBe(true);
  expect(await everythingStored(api)).not.toContain(newEmail.email);
  const emails = api.server.received.length;

  expect((await api.ask('/accountInfo', { token })).status).toBe(401);
  await press('ship', { tracking: 'XY9' });
  await api.sendDue();
  expect(api.server.received).toHaveLength(emails);
  expect(await rowsOf(api.db, "SELECT * FROM emails WHERE state = 'failed'")).toEqual([]);
  const tracked = () => api.ask(`/orders/${id}?${new URLSearchParams({ contactInfo: ADDRESS.phone })}`);
  expect((await tracked()).json).toMatchObject({ status: 2, shippingAddress: ADDRESS });
  await press('deliver');
  await eraseExpiredData(api.services);
  expect(await read()).toContain(ADDRESS.address);

  await api.passWatched(8 * DAY);
  await eraseExpiredData(api.services);
  expect(personalIn(await everythingStored(api))).toEqual([]);
  expect(await addressOf(api, id)).toEqual({ ...ADDRESS, fullName: '', address: '', phone: '' });
  const kept = { status: 3, total_paise: ORDER_TOTAL };
  expect(await rowOf(api.db, 'SELECT status, total_paise FROM orders')).toEqual(kept);
  expect((await tracked()).status).toBe(404);
  const later = await api.staff('owner', 'later@example.com');
  expect((await later.get(api.page)).text).toContain('the account was deleted');
});

it('an account deleted while a payment is open: an order paid afterwards keeps its address, an unpaid one is erased', async () => {
  const api = await shopWithPayment();
  const unpaid = await api.place();
  await deleteByEmail(api, api.token);
  expect((await api.report(api.reference)).status).toBe(200);
  await api.passWatched(31 * DAY);
  await eraseExpiredData(api.services);
  expect(await addressOf(api, api.id)).toMatchObject({ fullName: ADDRESS.fullName });
  expect(await addressOf(api, unpaid)).toMatchObject({ fullName: '' });
});

it.each([
  "INSERT INTO order_extras SELECT number, 'gstin', '27AAPFU0939F1ZV' FROM orders WHERE id = ?",
  'UPDATE orders SET total_paise = 5000000 WHERE id = ?',
])(
  'an invoice that must name its recipient (%s) keeps the name and address, but no phone',
  async (statement) => {
    const api = await shopWithOrder();
    await runSql(api.db, statement, api.id);
    await api.send('cancel');
    await deleteByEmail(api, api.token);
    await eraseExpiredData(api.services);
    expect(await addressOf(api, api.id)).toEqual({ ...ADDRESS, phone: '' });
  },
);

it('an owner can download the export, end sessions and delete the account; the log has no email', async () => {
  const api = await emailsApi();
  const owner = await api.staff('owner');
  const { token, email } = await api.customer();
  const search = (typed: string) =>
    owner.submit('/admin/customers', '/admin/customers/search', { contact: typed });
  expectPage(await search('no@example.com'), 422, 'No account has this email');
  const page = (await search(email)).location ?? '';
  expect((await owner.submit(page, `${page}/data`)).json).toMatchObject({ account: [{ email }] });
  await owner.submit(page, `${page}/password-link`);
  await api.sendDue();
  expect(api.server.received.at(-1)?.text).toContain('/reset-password#');
  await owner.submit(page, `${page}/sign-out`);
  expect((await api.ask('/accountInfo', { token })).status).toBe(401);
  await owner.submit(page, `${page}/delete`);
  expect((await owner.get(page)).status).toBe(404);
  await api.sendDue();
  expect(api.server.received.at(-1)).toMatchObject({
    recipients: [email],
    subject: expect.stringMatching(/ is deleted$/),
  });
  const log = await rowsOf(
    api.db,
    "SELECT action, from_json, to_json, target_id FROM admin_log WHERE target_type = 'customer' ORDER BY number",
  );
  expect(log.map(({ action }) => action)).toEqual([
    'downloaded',
    'sent a password link',
    'signed out everywhere',
    'deleted',
  ]);
  expect(JSON.stringify(log)).not.toContain(email);
});

it('data linked by an unconfirmed email alone is not exported, except in the admin', async () => {
  const api = await emailsApi();
  const victim = 'victim@example.com';
  await api.ask('/contact', { json: { name: 'V', email: victim, subject: 'Mine', message: 'A secret' } });
  await api.sendDue();
  const { token } = await api.customer(victim);
  expect((await api.ask('/users/data', { token })).json).toMatchObject({ emails: [] });
  const owner = await api.staff('owner');
  const { location } = await owner.submit('/admin/customers', '/admin/customers/search', { contact: victim });
  const file = await owner.submit(location ?? '', `${location}/data`);
  expect(file.text).toContain('contactMessage');
});

it('an email to the owners outlives the account that it is about, and is not exported', async () => {
  const api = await shopWithPayment();
  const { token } = api;
  await runSql(
    api.db,
    "INSERT INTO emails (id, kind, subject_id, details, state, address, failure, tries, created_at, changed_at, to_staff) SELECT 'l', 'staffNotifications', reference, '{}', 'failed', '', '', 0, 0, 0, 1 FROM payment_attempts",
  );
  const { json } = await api.ask('/users/data', { token });
  expect(JSON.stringify(json)).not.toContain('staffNotifications');
  await deleteByEmail(api, token);
  expect(await rowsOf(api.db, "SELECT id FROM emails WHERE id = 'l'")).toHaveLength(1);
});

it('the reasons of a return and a refund, and the note of who resolved the payment, are erased with the address', async () => {
  const api = await shopWithPayment();
  await api.db.write(async (transaction) => {
    await runSql(transaction, 'UPDATE orders SET status = 4');
    await runSql(transaction, "UPDATE payment_attempts SET state = 'failed'");
    const book = { transaction, services: api.services, orderNumber: 1, recordedBy: 'owner' };
    await recordPayment(book, { way: 'own_upi', paise: 100, note: 'By Mr Diabetes, diabetes' });
    await runSql(
      transaction,
      "INSERT INTO returns (id, order_number, state, reason, answer, lines, created_at, changed_at) SELECT 'r', number, 'refused', 'I have diabetes', 'No', '[]', 0, 0 FROM orders",
    );
    const byHand = { way: 'cash', happenedOn: '2026-01-05', externalId: null } as const;
    await recordRefund(book, { paise: 100, reason: 'Has diabetes', byHand });
  });
  await deleteByEmail(api, api.token);
  await eraseExpiredData(api.services);
  const stored = await everythingStored(api);
  expect([...personalIn(stored), stored.includes('diabetes')]).toEqual([false]);
});

it('an order that arrives while the account is being deleted is refused', async () => {
  const { token, ...api } = await withCustomer(emailsApi());
  await requestDeletion(api, token);
  const [deleted, order] = await Promise.all([confirm(api), api.order(token)]);
  expect(deleted.status).toBe(200);
  const orders = await rowsOf(api.db, 'SELECT 1 FROM orders');
  expect([order.status, orders.length]).toEqual(orders.length > 0 ? [201, 1] : [401, 0]);
  expect((await api.order(token)).status).toBe(401);
});
