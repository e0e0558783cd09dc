import * as v from 'valibot';
import { expect, it } from 'vitest';
import { requestEmailChange } from '#server/customers/email-change.ts';
import { isPostgres } from '#server/settings/settings.ts';
import { PASSWORD } from '#tests/server/support/api.ts';
import { emptyDatabase } from '#tests/server/support/databases.ts';
import { emailsApi } from '#tests/server/support/emails.ts';
import { anyRow } from '#tests/server/support/rows.ts';

/** Statements of this database that wait for a lock. */
const TASKS =
  "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

const NEW = 'monsoon-mangoes';
const NEW_EMAIL = 'asha.rao@example.in';
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

type Api = Awaited<ReturnType<typeof emailsApi>>;

const linkTo = ({ secretOf }: Api, address: string): string => secretOf('account-change', address);

const confirm = (api: Api, token: string) => api.ask('/users/confirm-email', { json: { token } });

const requestEmail = (api: Api, token: string, email = NEW_EMAIL, current = PASSWORD) =>
  api.ask('/users/email', { token, json: { email, current } });

it('a password changes for who knows the present one: all other sessions end, and an email tells it', async () => {
  const api = await emailsApi();
  const { token, email } = await api.customer();
  const change = (current: string) => api.ask('/users/password', { token, json: { current, password: NEW } });
  const wrong = await change('wrong-password');
  expect([wrong.status, wrong.json]).toEqual([422, { error: 'This is not your password.' }]);
  const changed = await change(PASSWORD);
  const { token: next } = v.parse(v.object({ token: v.string(), device: v.string() }), changed.json);
  expect((await api.ask('/accountInfo', { token })).status).toBe(401);
  expect((await api.ask('/accountInfo', { token: next })).status).toBe(200);
  expect([await api.signIn(email), await api.signIn(email, NEW)]).toEqual([401, 200]);
  await api.round();
  expect(api.server.received.at(-1)?.subject).toMatch(/was changed$/);
});

it('the present password cannot be guessed without an end', async () => {
  const api = await emailsApi();
  const { token } = await api.customer();
  const guess = () =>
    api.ask('/users/password', { token, json: { current: 'wrong-password', password: NEW } });
  const statuses: number[] = [];
  for (let count = 0; count < 11; count += 1) statuses.push((await guess()).status);
  expect(statuses).toEqual([...Array(10).fill(422), 429]);
});

it('an email changes once both addresses have confirmed it, whichever is first, and the old one is told', async () => {
  const api = await emailsApi();
  const { token, email } = await api.customer();
  expect((await requestEmail(api, token, NEW_EMAIL, 'wrong-password')).status).toBe(422);
  expect((await requestEmail(api, token)).status).toBe(200);
  await api.round();
  expect((await confirm(api, linkTo(api, NEW_EMAIL))).json).toEqual({ done: false });
  expect([await api.signIn(email), await api.signIn(NEW_EMAIL)]).toEqual([200, 401]);
  expect((await confirm(api, linkTo(api, email))).json).toEqual({ done: true });
  expect([await api.signIn(email), await api.signIn(NEW_EMAIL)]).toEqual([401, 200]);
  await api.round();
  expect(api.server.received.at(-1)).toMatchObject({
    recipients: [email],
    subject: expect.stringMatching(/was changed$/),
  });
});

it('a change of email is for a day, once, and the last wish counts; an email that is taken is refused', async () => {
  const api = await emailsApi();
  const { token, email } = await api.customer();
  const other = await api.customer();
  await requestEmail(api, token);
  await api.round();
  const replaced = linkTo(api, NEW_EMAIL);
  await requestEmail(api, token, other.email);
  await api.round();
  expect((await confirm(api, replaced)).status).toBe(422);
  expect((await confirm(api, linkTo(api, other.email))).json).toEqual({ done: false });
  const taken = await confirm(api, linkTo(api, email));
  expect([taken.status, taken.json]).toEqual([422, { error: 'This email cannot be used.' }]);
  expect(await api.signIn(email)).toBe(200);

  await requestEmail(api, token);
  await api.round();
  const link = linkTo(api, NEW_EMAIL);
  expect(api.server.received.at(-1)?.text).toMatch(/Confirm it until 6 January 2026.{1,5}3:30 pm:/);
  api.pass(DAY);
  expect((await confirm(api, link)).status).toBe(422);

  // No email leaves whose link would be refused.
  await requestEmail(api, token);
  api.pass(DAY);
  const before = api.server.received.length;
  await api.round();
  expect(api.server.received.slice(before)).toEqual([]);
});

it('the email that the account has already is refused at once, and of two wishes at once one counts', async () => {
  const api = await emailsApi();
  const { token, email } = await api.customer();
  const same = await requestEmail(api, token, email);
  expect([same.status, same.json]).toEqual([422, { error: 'Your account has this email already.' }]);
  const [row] = await api.db.all(v.object({ id: v.string() }), 'SELECT id FROM customers');
  const emails = Array.from({ length: 8 }, (_, index) => `wish${index}.${NEW_EMAIL}`);
  await Promise.all(
    emails.map((wish) =>
      api.db.write((transaction) => requestEmailChange(transaction, api.services, row?.id ?? '', wish)),
    ),
  );
  await api.round();
  const confirmed = await Promise.all(emails.map((wish) => confirm(api, linkTo(api, wish))));
  expect(confirmed.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(422)]);
});

it('an email that somebody registers while the change to it is confirmed is refused', async () => {
  const api = await emailsApi();
  const { token, email } = await api.customer();
  await requestEmail(api, token);
  await api.round();
  await confirm(api, linkTo(api, email));
  let confirming: ReturnType<typeof confirm> | undefined;
  await api.db.write(async (transaction) => {
    await transaction.run(
      `INSERT INTO customers (id, email, password_hash, first_name, last_name, created_at)
       VALUES ('other', ?, '', 'Uma', 'Rao', 0)`,
      NEW_EMAIL,
    );
    confirming = confirm(api, linkTo(api, NEW_EMAIL));
    if (isPostgres(await emptyDatabase())) await expect.poll(() => api.db.all(anyRow, TASKS)).toHaveLength(1);
  });
  const refused = await confirming;
  expect([refused?.status, refused?.json]).toEqual([422, { error: 'This email cannot be used.' }]);
  expect(await api.signIn(email)).toBe(200);
});

it('a new password ends the links of emails that somebody else may have asked for', async () => {
  const api = await emailsApi();
  const { token, email } = await api.customer();
  await requestEmail(api, token);
  await api.ask('/users/delete', { token, json: {} });
  await api.round();
  const deletion = api.secretOf('account-data');
  await api.ask('/users/password', { token, json: { current: PASSWORD, password: NEW } });
  for (const address of [email, NEW_EMAIL])
    expect((await confirm(api, linkTo(api, address))).status).toBe(422);
  expect((await api.ask('/users/confirm-deletion', { json: { token: deletion } })).status).toBe(422);
  expect(await api.signIn(email, NEW)).toBe(200);
});

it('a link for a new password that went to the old address opens nothing once the email has changed', async () => {
  const api = await emailsApi();
  const { token, email } = await api.customer();
  await requestEmail(api, token);
  await api.ask('/users/forgot-password', { json: { email } });
  await api.round();
  const link = api.secretOf('reset-password');
  for (const address of [email, NEW_EMAIL]) await confirm(api, linkTo(api, address));
  const reset = await api.ask('/users/reset-password', { json: { token: link, password: NEW } });
  expect([link.length, reset.status]).toEqual([43, 422]);
  expect(await api.signIn(NEW_EMAIL)).toBe(200);
});
