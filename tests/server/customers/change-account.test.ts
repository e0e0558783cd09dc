import * as v from 'valibot';
import { expect, it, vi } from 'vitest';
import { requestEmailChange } from '#server/customers/change-calls.ts';
import { TokenSchema } from '#server/customers/schema.ts';
import { COUNTS } from '#server/limits/table.ts';
import { DAY, MINUTE } from '#server/process/clock.ts';
import { isPostgres } from '#server/settings/settings.ts';
import { MANGO, PASSWORD, withCustomer } from '#tests/server/support/api.ts';
import { emptyDatabase } from '#tests/server/support/databases.ts';
import { emailsApi } from '#tests/server/support/emails.ts';
import { firstValue, rowsOf, runSql } from '#tests/server/support/rows.ts';

/** Statements of this database that wait for a lock. */
const WAITING_STATEMENTS =
  "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

const NEW = 'monsoon-mangoes';
const NEW_EMAIL = 'asha.rao@example.in';

type Api = Awaited<ReturnType<typeof emailsApi>>;

const NO_LONGER = { error: 'This link no longer works. Please ask for a new one.' };

/** What links in emails do: how long they work, how one is requested, and the page and the call that use it. */
const LINKS = [
  [
    'change the email',
    DAY,
    'email',
    { email: NEW_EMAIL, current: PASSWORD },
    'account-change',
    'confirm-email',
  ],
  ['choose a password', 30 * MINUTE, 'forgot-password', {}, 'reset-password', 'reset-password'],
  ['delete the account', 60 * MINUTE, 'delete', { current: PASSWORD }, 'account-data', 'confirm-deletion'],
] as const;

it.each(LINKS)(
  'a link to %s works for %d ms, and once',
  async (_what, lifetime, request, fields, page, call) => {
    const { token, email, ...api } = await withCustomer(emailsApi());
    const linked = async () => {
      await api.ask(`/users/${request}`, { token, json: { email, ...fields } });
      await api.sendDue();
      const json = { token: api.secretOf(page), password: NEW };
      return () => api.ask(`/users/${call}`, { json, token });
    };
    const late = await linked();
    api.pass(lifetime);
    expect(await late()).toMatchObject({ status: 422, json: NO_LONGER });
    expect((await api.ask('/accountInfo', { token })).status).toBe(200);
    const use = await linked();
    const answers = await Promise.all([use(), use(), use()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    expect(await use()).toMatchObject({ status: 422, json: NO_LONGER });
  },
);

const linkTo = ({ secretOf }: Api, address: string): string => secretOf('account-change', address);

const confirm = (
  api: Api,
  link: string,
  proof: { token?: string; current?: string } = { current: PASSWORD },
) =>
  api.ask('/users/confirm-email', {
    json: { token: link, current: proof.current },
    ...(proof.token && { token: proof.token }),
  });

const requestEmail = (api: Api, token: string, email = NEW_EMAIL, current = PASSWORD) =>
  api.ask('/users/email', { token, json: { email, current } });

it('changing the password needs the current one, ends all other sessions and is reported by email', async () => {
  const { token, email, ...api } = await withCustomer(emailsApi());
  const change = (current: string) => api.ask('/users/password', { token, json: { current, password: NEW } });
  const wrong = await change('wrong-password');
  expect([wrong.status, wrong.json]).toEqual([422, { error: 'This is not your password.' }]);
  const changed = await change(PASSWORD);
  const { token: next } = v.parse(v.object({ token: v.string(), device: v.string() }), changed.json);
  expect((await api.ask('/accountInfo', { token })).status).toBe(401);
  expect((await api.ask('/accountInfo', { token: next })).status).toBe(200);
  expect([await api.signIn(email), await api.signIn(email, NEW)]).toEqual([401, 200]);
  await api.sendDue();
  expect(api.server.received.at(-1)?.subject).toMatch(/was changed$/);
});

it('wrong guesses of the current password are limited', async () => {
  const { token, ...api } = await withCustomer(emailsApi());
  const guess = () =>
    api.ask('/users/password', { token, json: { current: 'wrong-password', password: NEW } });
  const statuses: number[] = [];
  for (let count = 0; count < 11; count += 1) statuses.push((await guess()).status);
  expect(statuses).toEqual([...Array(10).fill(422), 429]);
});

it('an email changes after both addresses have confirmed it, in any order, and the old one is notified', async () => {
  const { token, email, ...api } = await withCustomer(emailsApi());
  expect((await requestEmail(api, token, NEW_EMAIL, 'wrong-password')).status).toBe(422);
  expect((await requestEmail(api, token)).status).toBe(200);
  await api.sendDue();
  expect((await confirm(api, linkTo(api, NEW_EMAIL))).json).toEqual({ done: false });
  expect([await api.signIn(email), await api.signIn(NEW_EMAIL)]).toEqual([200, 401]);
  expect((await confirm(api, linkTo(api, email))).json).toEqual({ done: true });
  expect([await api.signIn(email), await api.signIn(NEW_EMAIL)]).toEqual([401, 200]);
  await api.sendDue();
  expect(api.server.received.at(-1)).toMatchObject({
    recipients: [email],
    subject: expect.stringMatching(/was changed$/),
  });
});

it('a later request replaces a change of email, a taken email is refused, and no link is sent late', async () => {
  const { token, email, ...api } = await withCustomer(emailsApi());
  const other = await api.customer();
  await requestEmail(api, token);
  await api.sendDue();
  const replaced = linkTo(api, NEW_EMAIL);
  await requestEmail(api, token, other.email);
  await api.sendDue();
  expect((await confirm(api, replaced)).status).toBe(422);
  expect((await confirm(api, linkTo(api, other.email))).json).toEqual({ done: false });
  const taken = await confirm(api, linkTo(api, email));
  expect([taken.status, taken.json]).toEqual([422, { error: 'This email cannot be used.' }]);
  expect(await api.signIn(email)).toBe(200);

  await requestEmail(api, token);
  await api.sendDue();
  expect(api.server.received.at(-1)?.text).toMatch(/Confirm it until 6 January 2026.{1,5}3:30 pm:/);
  // No email is sent whose link would be refused.
  await requestEmail(api, token);
  api.pass(DAY);
  const before = api.server.received.length;
  await api.sendDue();
  expect(api.server.received.slice(before)).toEqual([]);
});

it('the current email is refused as the new one, and of several requests at once one counts', async () => {
  const { token, email, ...api } = await withCustomer(emailsApi());
  const same = await requestEmail(api, token, email);
  expect([same.status, same.json]).toEqual([422, { error: 'Your account has this email already.' }]);
  const id = String(await firstValue(api.db, 'SELECT id FROM customers'));
  const emails = Array.from({ length: 8 }, (_, index) => `new${index}.${NEW_EMAIL}`);
  await Promise.all(
    emails.map((newEmail) =>
      api.db.write((transaction) => requestEmailChange(transaction, api.services, id, newEmail)),
    ),
  );
  await api.sendDue();
  const confirmed = await Promise.all(emails.map((newEmail) => confirm(api, linkTo(api, newEmail))));
  expect(confirmed.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(422)]);
});

it('a change to an email that is registered while it is being confirmed is refused', async () => {
  const { token, email, ...api } = await withCustomer(emailsApi());
  await requestEmail(api, token);
  await api.sendDue();
  await confirm(api, linkTo(api, email));
  let confirming: ReturnType<typeof confirm> | undefined;
  await api.db.write(async (transaction) => {
    await runSql(
      transaction,
      `INSERT INTO customers (id, email, password_hash, first_name, last_name, created_at)
       VALUES ('other', ?, '', 'Uma', 'Rao', 0)`,
      NEW_EMAIL,
    );
    confirming = confirm(api, linkTo(api, NEW_EMAIL));
    if (isPostgres(await emptyDatabase()))
      await expect.poll(() => rowsOf(api.db, WAITING_STATEMENTS)).toHaveLength(1);
  });
  const refused = await confirming;
  expect([refused?.status, refused?.json]).toEqual([422, { error: 'This email cannot be used.' }]);
  expect(await api.signIn(email)).toBe(200);
});

it('a new password ends all links that an intruder may have requested', async () => {
  const { token, email, ...api } = await withCustomer(emailsApi());
  await requestEmail(api, token);
  await api.ask('/users/delete', { token, json: { current: PASSWORD } });
  await api.sendDue();
  const deletion = api.secretOf('account-data');
  await api.ask('/users/password', { token, json: { current: PASSWORD, password: NEW } });
  for (const address of [email, NEW_EMAIL])
    expect((await confirm(api, linkTo(api, address))).status).toBe(422);
  expect((await api.ask('/users/confirm-deletion', { json: { token: deletion } })).status).toBe(422);
  expect(await api.signIn(email, NEW)).toBe(200);
});

it('a password link that was sent to the old address does not work after the email has changed', async () => {
  const { token, email, ...api } = await withCustomer(emailsApi());
  await requestEmail(api, token);
  await api.ask('/users/forgot-password', { json: { email } });
  await api.sendDue();
  const link = api.secretOf('reset-password');
  for (const address of [email, NEW_EMAIL]) await confirm(api, linkTo(api, address));
  const reset = await api.ask('/users/reset-password', { json: { token: link, password: NEW } });
  expect([link.length, reset.status]).toEqual([43, 422]);
  expect(await api.signIn(NEW_EMAIL)).toBe(200);
});

it('confirms an email only for the session or the password of its account', async () => {
  const { token, email, ...api } = await withCustomer(emailsApi());
  const stranger = await api.customer();
  await requestEmail(api, token);
  await api.sendDue();
  const error = 'Please type the password of the account, or sign in to it first.';
  for (const proof of [{}, { token: stranger.token }])
    expect(await confirm(api, linkTo(api, email), proof)).toMatchObject({ status: 422, json: { error } });
  expect((await confirm(api, linkTo(api, email), { current: 'wrong-password' })).status).toBe(422);
  expect((await confirm(api, linkTo(api, email), { token })).status).toBe(200);
  expect((await confirm(api, linkTo(api, NEW_EMAIL))).json).toEqual({ done: true });
});

it('the owner of an address ends a change to it, and closes an account that a stranger opened with it', async () => {
  const { token, email, ...api } = await withCustomer(emailsApi());
  const reject = (link: string) => api.ask('/users/not-mine', { json: { token: link } });
  await requestEmail(api, token);
  await api.sendDue();
  const own = linkTo(api, email);
  expect((await reject(linkTo(api, NEW_EMAIL))).status).toBe(200);
  expect((await confirm(api, own)).status).toBe(422);

  const names = { firstName: 'Squat', lastName: 'Ter' };
  await api.ask('/users/register', { json: { email: NEW_EMAIL, password: PASSWORD, ...names } });
  const { text } = await api.ask('/users/authorize', { json: { email: NEW_EMAIL, password: PASSWORD } });
  await api.order(/"token":"([^"]+)"/.exec(text)?.[1] ?? '');
  await api.sendDue();
  const link = linkTo(api, NEW_EMAIL);
  // An account that was confirmed meanwhile stays.
  const setVerified = (isVerified: 0 | 1) =>
    runSql(api.db, 'UPDATE customers SET email_verified = ? WHERE email = ?', isVerified, NEW_EMAIL);
  await setVerified(1);
  expect((await reject(link)).status).toBe(422);
  await setVerified(0);
  expect((await reject(link)).status).toBe(200);
  expect(await api.signIn(NEW_EMAIL)).toBe(401);
  await api.sendDue();
  for (const { raw } of api.sentTo(NEW_EMAIL)) expect(raw).not.toContain('Squat');
});

it.each(['confirm-email', 'confirm-deletion', 'not-mine', 'reset-password'])(
  'a wrong secret sent to %s writes nothing',
  async (call) => {
    const api = await emailsApi();
    const write = vi.spyOn(api.db, 'write');
    const json = { token: 'wrong', password: PASSWORD, current: PASSWORD };
    expect((await api.ask(`/users/${call}`, { json })).status).toBe(422);
    expect(write).not.toHaveBeenCalled();
  },
);

const requestReset = (api: Api, email: string, more: object = {}) =>
  api.ask('/users/forgot-password', { json: { email }, ...more });

const reset = (api: Api, token: string, password = NEW) =>
  api.ask('/users/reset-password', { json: { token, password } });

it('an unknown address gets the same response byte for byte, and no email; a forged Host changes no link', async () => {
  const { email, ...api } = await withCustomer(emailsApi());
  const evil = 'evil.example';
  const headers = { Host: evil, 'X-Forwarded-Host': evil, Origin: `https://${evil}` };
  const known = await requestReset(api, email, { headers });
  const unknown = await requestReset(api, 'nobody@example.com', { headers });
  expect([known.status, known.text]).toEqual([200, '{}']);
  expect([unknown.status, unknown.text, [...unknown.headers]]).toEqual([200, '{}', [...known.headers]]);
  await api.sendDue();
  expect(api.server.received.map(({ recipients }) => recipients)).toEqual([[email]]);
  expect(api.server.received[0]?.text).toContain('http://localhost:4321/reset-password#');
  expect(api.server.received[0]?.raw).not.toContain('evil.example');
});

it('a link ends all sessions and is reported by email; its secret is in neither database nor log', async () => {
  const { email, token: session, ...api } = await withCustomer(emailsApi());
  await requestReset(api, email);
  await api.sendDue();
  const token = api.secretOf('reset-password');
  expect(token).toMatch(/^[\w-]{43}$/);
  for (const table of ['emails', 'tokens'])
    expect(JSON.stringify(await rowsOf(api.db, `SELECT * FROM ${table}`))).not.toContain(token);
  expect(JSON.stringify(api.lines)).not.toContain(token);

  expect((await reset(api, token, 'short')).status).toBe(422);
  expect((await reset(api, token)).status).toBe(200);
  expect((await api.ask('/accountInfo', { token: session })).status).toBe(401);
  expect([await api.signIn(email), await api.signIn(email, NEW)]).toEqual([401, 200]);
  await api.sendDue();
  expect(api.server.received.at(-1)?.subject).toMatch(/was changed$/);
});

it('a link that was requested before the password changed does not work, even if its email was not sent yet', async () => {
  const { email, token, ...api } = await withCustomer(emailsApi());
  await requestReset(api, email);
  const changed = await api.ask('/users/password', { token, json: { current: PASSWORD, password: NEW } });
  expect(changed.status).toBe(200);
  await api.sendDue();
  expect(api.server.received.map(({ subject }) => subject)).toEqual([expect.stringContaining('was changed')]);
});

it('a password that changes while an email is being written leaves no valid link', async () => {
  const { email, token, ...api } = await withCustomer(emailsApi());
  await requestReset(api, email);
  api.whileWriting(() => api.ask('/users/password', { token, json: { current: PASSWORD, password: NEW } }));
  await api.sendDue();
  expect(await api.signIn(email, NEW)).toBe(200);
  expect(await rowsOf(api.db, "SELECT purpose FROM tokens WHERE purpose <> 'session'")).toEqual([]);
  expect(api.server.received.map(({ subject }) => subject)).toEqual([expect.stringContaining('was changed')]);
});

it('a customer who chose a new password is not locked out by wrong guesses', async () => {
  const { email, ...api } = await withCustomer(emailsApi());
  for (let guess = 0; guess < 11; guess += 1) await api.signIn(email, `wrong-guess-${guess}`);
  await requestReset(api, email);
  await api.sendDue();
  const { json } = await reset(api, api.secretOf('reset-password'));
  expect(await api.signIn(email, NEW)).toBe(429);
  const credentials = { email, password: NEW, ...v.parse(v.object({ device: v.string() }), json) };
  expect((await api.ask('/users/authorize', { json: credentials })).status).toBe(200);
});

it('emails that a stranger may have requested do not contain a name that the stranger chose', async () => {
  const { token, ...api } = await withCustomer(emailsApi());
  await api.ask('/users/name', { token, json: { firstName: 'Open evil.example', lastName: 'Now' } });
  await requestReset(api, 'person1@example.com');
  await api.ask('/users/email', { token, json: { email: 'victim@example.com', current: PASSWORD } });
  await api.sendDue();
  const emails = api.server.received.filter(({ text }) => text?.includes('evil.example'));
  const named = { firstName: 'Go to https://evil.example', lastName: 'Now' };
  expect((await api.ask('/users/name', { token, json: named })).status).toBe(422);
  // The email to the account's own address greets by name.
  expect(emails.map(({ subject }) => subject)).toEqual([expect.stringContaining('Confirm the new email')]);
  expect(emails[0]?.recipients).toEqual(['person1@example.com']);
});

it('all spellings of an email are one account with one limit, and track its orders', async () => {
  const api = await emailsApi();
  const registration = { password: PASSWORD, firstName: 'Asha', lastName: 'Rao' };
  const hosts = ['asha@b\u00fccher', 'asha@bu\u0308cher', 'asha@xn--bcher-kva', 'asha\u200b@b\u00fccher'];
  const spellings = [...hosts, 'Asha@\uff42\u00fccher'].map((start) => `${start}.example`);
  for (const email of spellings) await api.ask('/users/register', { json: { ...registration, email } });
  expect(await rowsOf(api.db, 'SELECT id FROM customers')).toHaveLength(1);
  const signedIn = await api.ask('/users/authorize', { json: { email: spellings[3], password: PASSWORD } });
  const { token } = v.parse(TokenSchema, signedIn.json);
  const { id } = v.parse(v.object({ id: v.string() }), (await api.order(token, { [MANGO]: 1 })).json);
  for (const contact of spellings) {
    expect(await api.signIn(contact, PASSWORD), contact).toBe(200);
    const tracked = await api.ask(`/orders/${id}?contactInfo=${encodeURIComponent(contact)}`);
    expect(tracked.status, contact).toBe(200);
  }
  for (let count = 0; count < COUNTS.passwordLink.email; count += 1)
    await requestReset(api, spellings[2] ?? '');
  expect((await requestReset(api, 'asha@b\u00fccher\u00ad.example')).status).toBe(429);
});
