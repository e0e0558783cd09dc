import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { expect, it, test } from 'vitest';
import { StoreInfoSchema } from '#api/schema/store-info.ts';
import { describedStore } from '#catalogue/catalogue.ts';
import { placeholderValues } from '#domain/policy.ts';
import { PERSONAL_DATA } from '#server/privacy/personal-data.ts';
import { eraseExpiredData, RETENTION } from '#server/privacy/retention.ts';
import { DAY, HOUR } from '#server/process/clock.ts';
import { ADDRESS, MANGO, PASSWORD, testApi, withCustomer } from '#tests/server/support/api.ts';
import { emailsApi } from '#tests/server/support/emails.ts';
import { countRows, runSql, valuesOf } from '#tests/server/support/rows.ts';

type Api = Awaited<ReturnType<typeof emailsApi>>;

/** A shop with some of all data that is deleted automatically, and emails in every state. */
async function shopWithEverything() {
  const { token, ...api } = await withCustomer(emailsApi(), 'asha@example.com');
  const order = { products: { [MANGO]: 1 }, shippingAddress: ADDRESS };
  await api.ask('/orders', { token, json: order, headers: { 'Idempotency-Key': 'asked-once-and-again' } });
  await api.ask('/users/forgot-password', { json: { email: 'asha@example.com' } });
  await api.ask('/users/forgot-password', { json: { email: 'nobody@example.com' } });
  await api.sendDue();
  api.server.misbehave(() => ({ refuse: 550 }));
  await api.ask('/users/email', { token, json: { email: 'new@example.com', current: PASSWORD } });
  await api.sendDue();
  await api.ask('/users/delete', { token, json: { current: PASSWORD } });
  return api;
}

const TABLES = ['email_changes', 'tokens', 'devices', 'order_keys'];

async function storedKinds({ db }: Api): Promise<string[]> {
  const emails = await valuesOf(db, 'SELECT DISTINCT state FROM emails ORDER BY state');
  const counts = await Promise.all(TABLES.map((table) => countRows(db, table)));
  return [...emails.map((state) => `${state} emails`), ...TABLES.filter((_, index) => counts[index])];
}

it('expired data is deleted automatically; a waiting email stays', async () => {
  const api = await shopWithEverything();
  const always = ['waiting emails'];
  const long = ['devices', 'order_keys'];
  const all = ['dropped emails', 'failed emails', 'sent emails', ...always, ...TABLES];
  const days: [number, string[]][] = [
    [0, all],
    [30, ['dropped emails', 'failed emails', 'sent emails', ...always, 'tokens', ...long]],
    [2, ['failed emails', ...always, ...long]],
    [57, ['failed emails', ...always, ...long]],
    [2, [...always, 'devices']],
    [308, [...always, 'devices']],
    [2, always],
  ];
  for (const [index, [passed, expected]] of days.entries()) {
    await api.passWatched(passed * DAY);
    await eraseExpiredData(api.services);
    expect(await storedKinds(api), `step ${index}`).toEqual(expected);
  }
});

it('one process an hour deletes expired data', async () => {
  const api = await shopWithEverything();
  await eraseExpiredData(api.services);
  await runSql(api.db, 'UPDATE tokens SET expires_at = 0');
  await Promise.all([eraseExpiredData(api.services), eraseExpiredData(api.services)]);
  expect(await storedKinds(api)).toContain('tokens');
  await api.passWatched(HOUR);
  await Promise.all([eraseExpiredData(api.services), eraseExpiredData(api.services)]);
  expect(await storedKinds(api)).not.toContain('tokens');
});

test('the privacy policy says after how many days data is deleted, and who sends the emails', async () => {
  const { ask } = await emailsApi({ mailProvider: 'Letter Post' });
  const store = v.parse(StoreInfoSchema, (await ask('/storeInfo')).json);
  const { retention = '', mailProvider } = placeholderValues(describedStore(store));
  expect(mailProvider).toBe('Letter Post');
  expect(retention).toContain('which e-mail went to your address (30 days after it was sent); ');
  const listed = RETENTION.flatMap((row) => (row.policy ? [{ ...row.policy, days: row.days }] : []));
  expect(store.retention?.slice(0, -1)).toEqual(listed);
  expect(retention).toMatch(/; name, address, [^;]*without an account \(180 days after the order\)$/);
  // The policy says this in its own text, too.
  const policy = readFileSync('src/catalogue/policies/privacy.md', 'utf8');
  const devices = RETENTION.find(({ table }) => table === 'devices');
  expect(policy).toContain(`${devices?.days} days after the last sign-in there`);
  const silent = await testApi({ settings: { mail: undefined } });
  const { json } = await silent.ask('/storeInfo');
  expect(json).not.toHaveProperty('retention');
  expect(json).not.toHaveProperty('mailProvider');
});

test('all personal data is deleted automatically, or stays with its account or order', () => {
  const withAccount = [
    ...['customers', 'orders', 'order_extras', 'order_items', 'payment_attempts', 'movements'],
    ...['adjustments', 'returns', 'staff_notes', 'held_stock'],
  ];
  const expiring = new Set(RETENTION.map(({ table }) => table));
  const personal = Object.values(PERSONAL_DATA).flatMap(({ tables }) => tables);
  expect(personal.filter((table) => !expiring.has(table)).sort()).toEqual(withAccount.sort());
});
