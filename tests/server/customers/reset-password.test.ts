import * as v from 'valibot';
import { expect, it } from 'vitest';
import { TokenSchema } from '#server/customers/schema.ts';
import { COUNTS } from '#server/limits/table.ts';
import { MANGO, PASSWORD, withCustomer } from '#tests/server/support/api.ts';
import { emailsApi } from '#tests/server/support/emails.ts';
import { rowsOf } from '#tests/server/support/rows.ts';

const NEW = 'monsoon-mangoes';

type Api = Awaited<ReturnType<typeof emailsApi>>;

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
  expect(await api.signIn(email, PASSWORD)).toBe(401);
  expect(await api.signIn(email, NEW)).toBe(200);
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
