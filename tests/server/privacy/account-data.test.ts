import { expect, it, test } from 'vitest';
import { NOT_PERSONAL, PERSONAL_DATA } from '#server/privacy/personal-data.ts';
import { eraseExpiredData } from '#server/privacy/retention.ts';
import { DAY, MINUTE } from '#server/process/clock.ts';
import { ADDRESS, PASSWORD } from '#tests/server/support/api.ts';
import { emailsApi } from '#tests/server/support/emails.ts';
import { sandboxOf } from '#tests/server/support/payments.ts';
import { rowOf, rowsOf, runSql, TABLE_NAMES } from '#tests/server/support/rows.ts';

type Api = Awaited<ReturnType<typeof emailsApi>>;

/** A customer with an order whose payment is open. */
async function payingCustomer(api: Api) {
  const customer = await api.customer();
  const { id } = await api.placeOrder(customer.token);
  const reference = await sandboxOf(api, customer.token).startPayment(id);
  return { ...customer, id, reference };
}

const confirm = (api: Api, token: string) => api.ask('/users/confirm-deletion', { json: { token } });

async function deleteByEmail(api: Api, token: string): Promise<void> {
  expect((await api.ask('/users/delete', { token, json: {} })).status).toBe(200);
  await api.round();
  expect((await confirm(api, api.secretOf('account-data'))).status).toBe(200);
  await api.round();
}

/** All rows of the database, except the admin's log. */
async function everythingStored({ db }: Api): Promise<string> {
  const tables = TABLE_NAMES.filter((table) => table !== 'admin_log');
  const rows = await Promise.all(tables.map((table) => rowsOf(db, `SELECT * FROM ${table}`)));
  return JSON.stringify(rows);
}

/** Texts that name the customer of these tests. */
const PERSONAL_TEXTS = [
  ADDRESS.fullName,
  ADDRESS.address,
  ADDRESS.phone,
  '9876543210',
  'Asha',
  'person1@',
  'person.new@',
];

const personalIn = (text: string): string[] => PERSONAL_TEXTS.filter((personal) => text.includes(personal));

test('every table of the database is listed as personal or not', () => {
  const known = [...Object.values(PERSONAL_DATA).flatMap(({ tables }) => tables), ...NOT_PERSONAL];
  expect(TABLE_NAMES.toSorted()).toEqual(known.sort());
});

it('the export has the account, sessions, devices, orders with payments, and emails', async () => {
  const api = await emailsApi();
  const { token, email, id } = await payingCustomer(api);
  await api.round();
  const other = await api.customer();
  await api.placeOrder(other.token);

  const answer = await api.ask('/users/data', { token });
  expect([
    answer.status,
    answer.headers.get('content-disposition'),
    answer.headers.get('cache-control'),
  ]).toEqual([200, 'attachment; filename="everything-about-me.json"', expect.stringContaining('no-store')]);
  expect(answer.json).toEqual({
    account: [{ email, firstName: 'Asha', lastName: 'Rao', createdAt: expect.any(String), language: null }],
    newEmail: [],
    signedIn: [{ until: expect.any(String) }],
    devices: [{ lastSignIn: expect.any(String) }],
    orders: [
      expect.objectContaining({
        id,
        shippingAddress: ADDRESS,
        payments: [expect.objectContaining({ state: 'started', amountPaise: 179_800 })],
      }),
    ],
    orderKeys: [],
    // They are of the same moment, so in any order.
    emails: expect.arrayContaining([{ kind: 'orderPlaced', state: 'sent', at: expect.any(String) }]),
  });
  expect(answer.text).not.toContain(other.email);
  expect((await api.ask('/users/data')).status).toBe(401);
});

it('an account deleted while an order is open: the order is delivered, and then only what the law requires is left', async () => {
  const api = await emailsApi();
  const packer = await api.staff('packer');
  const { token } = await api.customer();
  const { id } = await api.placeOrder(token);
  const page = `/admin/orders/${id}`;
  await packer.submit(page, `${page}/process`);
  const message = { name: ADDRESS.fullName, email: 'person1@example.com', subject: 'Asha', message: 'Asha' };
  expect((await api.ask('/contact', { json: message })).status).toBe(200);
  await api.round();
  const newEmail = { email: 'person.new@example.com', current: PASSWORD };
  expect((await api.ask('/users/email', { token, json: newEmail })).status).toBe(200);
  await api.round();
  // Two links, because a customer may request the email again.
  await api.ask('/users/delete', { token, json: {} });
  await deleteByEmail(api, token);
  expect(api.server.received.some(({ subject }) => / is deleted$/.test(subject ?? ''))).toBe(true);
  expect(await everythingStored(api)).not.toContain(newEmail.email);
  const emails = api.server.received.length;

  expect((await api.ask('/accountInfo', { token })).status).toBe(401);
  await packer.submit(page, `${page}/ship`, { carrier: '', tracking: 'XY9' });
  await api.round();
  expect(api.server.received).toHaveLength(emails);
  expect(await rowsOf(api.db, "SELECT * FROM emails WHERE state = 'failed'")).toEqual([]);
  const tracked = () => api.ask(`/orders/${id}?${new URLSearchParams({ contactInfo: ADDRESS.phone })}`);
  expect((await tracked()).json).toMatchObject({ status: 2, shippingAddress: ADDRESS });
  await packer.submit(page, `${page}/deliver`);
  await eraseExpiredData(api.services);
  expect((await packer.get(page)).text).toContain(ADDRESS.address);

  await api.passWatched(8 * DAY);
  await eraseExpiredData(api.services);
  expect(personalIn(await everythingStored(api))).toEqual([]);
  const [order] = await rowsOf(api.db, 'SELECT address, status, total_paise FROM orders');
  expect([JSON.parse(String(order?.address)), order?.status, order?.total_paise]).toEqual([
    { ...ADDRESS, fullName: '', address: '', phone: '' },
    3,
    179_800,
  ]);
  expect((await tracked()).status).toBe(404);
  const owner = await api.staff('owner');
  expect((await owner.get(page)).text).toContain('the account was deleted');
});

it('an account deleted while a payment is open: an order paid afterwards keeps its address, an unpaid one is erased', async () => {
  const api = await emailsApi();
  const { token, id: paid, reference } = await payingCustomer(api);
  const unpaid = await api.placeOrder(token);
  await deleteByEmail(api, token);
  expect((await sandboxOf(api, token).report(reference)).status).toBe(200);
  await api.passWatched(31 * DAY);
  await eraseExpiredData(api.services);
  const addressOf = async (id: string) =>
    JSON.parse(String((await rowOf(api.db, 'SELECT address FROM orders WHERE id = ?', id))?.address))
      .fullName;
  expect([await addressOf(paid), await addressOf(unpaid.id)]).toEqual([ADDRESS.fullName, '']);
});

it.each([
  "INSERT INTO order_extras SELECT number, 'gstin', '27AAPFU0939F1ZV' FROM orders WHERE id = ?",
  'UPDATE orders SET total_paise = 5000000 WHERE id = ?',
])(
  'an invoice that must name its recipient (%s) keeps the name and address, but no phone',
  async (statement) => {
    const api = await emailsApi();
    const owner = await api.staff('owner');
    const { token } = await api.customer();
    const { id } = await api.placeOrder(token);
    await runSql(api.db, statement, id);
    await owner.submit(`/admin/orders/${id}/cancel`, `/admin/orders/${id}/cancel`);
    await deleteByEmail(api, token);
    await eraseExpiredData(api.services);
    const row = await rowOf(api.db, 'SELECT address FROM orders WHERE id = ?', id);
    expect(JSON.parse(String(row?.address))).toEqual({ ...ADDRESS, phone: '' });
  },
);

it('a link deletes the account once, within 60 minutes; nothing is deleted before it is used', async () => {
  const api = await emailsApi();
  const { token } = await api.customer();
  await api.ask('/users/delete', { token, json: {} });
  await api.round();
  const late = api.secretOf('account-data');
  api.pass(60 * MINUTE);
  expect((await confirm(api, late)).status).toBe(422);
  expect((await api.ask('/accountInfo', { token })).status).toBe(200);
  await api.ask('/users/delete', { token, json: {} });
  await api.round();
  const link = api.secretOf('account-data');
  const answers = await Promise.all([confirm(api, link), confirm(api, link)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  expect(answers.find(({ status }) => status === 422)?.json).toEqual({
    error: 'This link no longer works. Please ask for a new one.',
  });
});

it('an owner can download the export, end sessions and delete the account; the log has no email', async () => {
  const api = await emailsApi();
  const owner = await api.staff('owner');
  const { token, email } = await api.customer();
  const missing = await owner.submit('/admin/customers', '/admin/customers/search', {
    email: 'no@example.com',
  });
  expect([missing.status, missing.text]).toEqual([422, expect.stringContaining('No account has this email')]);
  const found = await owner.submit('/admin/customers', '/admin/customers/search', { email });
  const page = found.location ?? '';
  expect((await owner.submit(page, `${page}/data`)).json).toMatchObject({ account: [{ email }] });
  await owner.submit(page, `${page}/password-link`);
  await api.round();
  expect(api.server.received.at(-1)?.text).toContain('/reset-password#');
  await owner.submit(page, `${page}/sign-out`);
  expect((await api.ask('/accountInfo', { token })).status).toBe(401);
  await owner.submit(page, `${page}/delete`);
  expect((await owner.get(page)).status).toBe(404);
  await api.round();
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
  await api.round();
  const { token } = await api.customer(victim);
  expect((await api.ask('/users/data', { token })).json).toMatchObject({ emails: [] });
  const owner = await api.staff('owner');
  const { location } = await owner.submit('/admin/customers', '/admin/customers/search', { email: victim });
  const file = await owner.submit(location ?? '', `${location}/data`);
  expect(file.text).toContain('contactMessage');
});

it('an email to the owners outlives the account that it is about, and is not exported', async () => {
  const api = await emailsApi();
  await api.staff('owner', 'owner@example.com');
  const { token } = await payingCustomer(api);
  await runSql(
    api.db,
    "INSERT INTO emails (id, kind, about, details, state, address, failure, tries, created_at, changed_at, to_staff) SELECT 'l', 'paymentAttention', reference, '{}', 'failed', '', '', 0, 0, 0, 1 FROM payments",
  );
  const { json } = await api.ask('/users/data', { token });
  expect(JSON.stringify(json)).not.toContain('paymentAttention');
  await deleteByEmail(api, token);
  expect(await rowsOf(api.db, "SELECT id FROM emails WHERE id = 'l'")).toHaveLength(1);
});

it('the reason of a return is erased with the address, even if the payment was resolved by hand', async () => {
  const api = await emailsApi();
  const { token } = await payingCustomer(api);
  await api.db.write(async (transaction) => {
    await runSql(transaction, 'UPDATE orders SET status = 4');
    await runSql(transaction, "UPDATE payments SET state = 'flagged'");
    await runSql(
      transaction,
      "INSERT INTO payments_resolved (reference, at, who, note) SELECT reference, 0, 'owner', '' FROM payments",
    );
    await runSql(
      transaction,
      "INSERT INTO returns (id, order_number, state, reason, answer, lines, created_at, changed_at) SELECT 'r', number, 'refused', 'I have diabetes', 'No', '[]', 0, 0 FROM orders",
    );
  });
  await deleteByEmail(api, token);
  await eraseExpiredData(api.services);
  const stored = await everythingStored(api);
  expect([...personalIn(stored), stored.includes('diabetes')]).toEqual([false]);
});

it('an order that arrives while the account is being deleted is refused', async () => {
  const api = await emailsApi();
  const { token } = await api.customer();
  await api.ask('/users/delete', { token, json: {} });
  await api.round();
  const secret = api.secretOf('account-data');
  const [deleted, order] = await Promise.all([confirm(api, secret), api.order(token)]);
  expect(deleted.status).toBe(200);
  const orders = await rowsOf(api.db, 'SELECT 1 FROM orders');
  expect([order.status, orders.length]).toEqual(orders.length > 0 ? [201, 1] : [401, 0]);
  const late = await api.order(token);
  expect(late.status).toBe(401);
});
