import { expect, it } from 'vitest';
import { ACCOUNT_EMAILS } from '#server/customers/emails.ts';
import type { Email } from '#server/email/email.ts';
import { defineEmail } from '#server/email/email.ts';
import { dueEmails, queueEmail } from '#server/email/outbox.ts';
import { ORDER_EMAILS } from '#server/fulfilment/emails.ts';
import { HOUR } from '#server/process/clock.ts';
import { ADDRESS, PASSWORD } from '#tests/server/support/api.ts';
import { emailsApi } from '#tests/server/support/emails.ts';

const EMAIL = 'victim@example.com';

type Api = Awaited<ReturnType<typeof emailsApi>>;

/** Registers with an unverified email and signs in. Returns the token. */
async function signUpUnverified({ ask }: Api, email = EMAIL): Promise<string> {
  const registration = { email, password: PASSWORD, firstName: 'Asha', lastName: 'Rao' };
  expect((await ask('/users/register', { json: registration })).status).toBe(201);
  const { text } = await ask('/users/authorize', { json: { email, password: PASSWORD } });
  return /"token":"([^"]+)"/.exec(text)?.[1] ?? '';
}

const sentTo = (api: Api, address = EMAIL) => api.sentTo(address);

/** All that was sent to an address. */
const wordsTo = (api: Api, address = EMAIL): string =>
  sentTo(api, address)
    .map(({ text, raw }) => `${text} ${raw}`)
    .join();

it('sends no text that a customer typed to an email until its owner has confirmed it by the link', async () => {
  const api = await emailsApi();
  const token = await signUpUnverified(api);
  await api.order(token);
  await api.ask('/users/email', { token, json: { email: 'elsewhere@example.com', current: PASSWORD } });
  await api.sendDue();
  expect(sentTo(api)).toHaveLength(2);
  expect(sentTo(api, 'elsewhere@example.com')).toHaveLength(1);
  for (const typed of [ADDRESS.fullName, 'Asha', ADDRESS.address, ADDRESS.city]) {
    expect(wordsTo(api)).not.toContain(typed);
    expect(wordsTo(api, 'elsewhere@example.com')).not.toContain(typed);
  }
  expect(wordsTo(api)).not.toContain('elsewhere@example.com');
  expect(sentTo(api, 'elsewhere@example.com')[0]?.text).not.toContain(EMAIL);

  const order = sentTo(api).find(({ subject }) => subject?.startsWith('We have your order'));
  const link = api.secretOf('account-change', EMAIL);
  expect(order?.text).toContain('1,798');
  const confirm = () => api.ask('/users/confirm-email', { json: { token: link, current: PASSWORD } });
  expect(await confirm()).toMatchObject({ status: 200, json: { done: true } });
  expect((await confirm()).status).toBe(422);
  await api.order(token);
  await api.sendDue();
  expect(sentTo(api).at(-1)?.text).toContain(ADDRESS.address);
});

it('sends at most four emails an hour to an unconfirmed email, and five links for a new password beside them', async () => {
  const api = await emailsApi();
  const token = await signUpUnverified(api);
  for (let count = 0; count < 12; count += 1) await api.order(token);
  await Promise.all([api.sendDue(), api.sendDue()]);
  expect(sentTo(api)).toHaveLength(4);
  for (let asked = 0; asked < 6; asked += 1)
    await api.ask('/users/forgot-password', { json: { email: EMAIL } });
  await api.sendDue();
  expect(sentTo(api)).toHaveLength(4 + 5);
  expect(sentTo(api)[4]?.subject).toContain('Choose a new password');
  api.pass(HOUR + 1);
  await api.sendDue();
  expect(sentTo(api)).toHaveLength(4 + 5 + 4);
});

it('applies one limit to all addresses of a mailbox, which holds back no link for a new password', async () => {
  const api = await emailsApi();
  const addresses = Array.from({ length: 8 }, (_, count) => `v.ictim+${count}@example.com`);
  for (const address of [...addresses, EMAIL]) await api.order(await signUpUnverified(api, address));
  for (const email of addresses) await api.ask('/users/forgot-password', { json: { email } });
  await Promise.all([api.sendDue(), api.sendDue()]);
  expect(api.server.received).toHaveLength(4 + addresses.length);
  await api.ask('/users/forgot-password', { json: { email: EMAIL } });
  await api.sendDue();
  expect(sentTo(api).at(-1)?.subject).toContain('Choose a new password');
});

it('a line requests ten links of a mailbox in half an hour, whatever the alias, and other lines still get theirs', async () => {
  const { ask } = await emailsApi();
  const askFor = async (email: string, from?: string) =>
    (await ask('/users/forgot-password', { json: { email }, ...(from && { from }) })).status;
  for (let count = 0; count < 10; count += 1) expect(await askFor(`victim+${count}@example.com`)).toBe(200);
  expect([await askFor('victim+more@example.com'), await askFor(EMAIL, '198.51.100.1')]).toEqual([429, 200]);
});

it('sends no typed text to an address that another customer entered as the new email of an account', async () => {
  const api = await emailsApi();
  const known = await api.customer('known@example.com');
  const token = await signUpUnverified(api, 'visit-evil-example-to-win@example.com');
  await api.ask('/users/email', { token, json: { email: known.email, current: PASSWORD } });
  await api.sendDue();
  expect(wordsTo(api, known.email)).not.toContain('evil');
});

it('does not repeat an unconfirmed address in the emails about its account', async () => {
  const api = await emailsApi();
  const token = await signUpUnverified(api, 'visit-evil-example-to-win@example.com');
  await api.ask('/users/forgot-password', { json: { email: 'visit-evil-example-to-win@example.com' } });
  await api.ask('/users/delete', { token, json: { current: PASSWORD } });
  await api.sendDue();
  expect(api.server.received.length).toBeGreaterThan(1);
  for (const { subject, text } of api.server.received) expect(`${subject} ${text}`).not.toContain('evil');
});

it('counts the email as confirmed after a new password was chosen by its link', async () => {
  const api = await emailsApi();
  await signUpUnverified(api);
  await api.ask('/users/forgot-password', { json: { email: EMAIL } });
  await api.sendDue();
  const link = api.secretOf('reset-password');
  const password = `${PASSWORD} again`;
  expect((await api.ask('/users/reset-password', { json: { token: link, password } })).status).toBe(200);
  const { text } = await api.ask('/users/authorize', { json: { email: EMAIL, password } });
  await api.order(/"token":"([^"]+)"/.exec(text)?.[1] ?? '');
  await api.sendDue();
  expect(sentTo(api).at(-1)?.text).toContain(ADDRESS.address);
});

it('says only that there is news if a kind of email has no text for unconfirmed addresses', async () => {
  const withoutUnverified: Email<object> = defineEmail<{ typed: string }>({
    kind: 'withoutUnverified',
    when: 'In this test',
    find: async () => ({ address: EMAIL, name: 'Asha', language: 'en', facts: { typed: 'evil.example' } }),
    sample: { typed: '' },
    write: (_language, { typed }) => ({ subject: typed, blocks: [{ text: typed }] }),
  });
  const loaded = await withoutUnverified.load((await emailsApi()).db, '', '{}', 0);
  const place = { site: '', api: '', storeName: 'Shop', refundDays: 7, returnDays: 7, link: '' };
  expect(loaded?.write(place, true).subject).toContain('evil');
  expect(JSON.stringify(loaded?.write(place, false))).not.toContain('evil');
});

it('sends emails about a password before all others', async () => {
  const api = await emailsApi();
  await api.db.write(async (transaction) => {
    for (let count = 0; count < 30; count += 1)
      await queueEmail(transaction, api.services, ORDER_EMAILS.placed, 'x');
    await queueEmail(transaction, api.services, ACCOUNT_EMAILS.reset, EMAIL);
  });
  const [first] = await dueEmails(api.db, api.now(), 10);
  expect(first?.kind).toBe('passwordReset');
});

it('sends the newest of those first, so that a stranger’s many requests do not delay another customer’s', async () => {
  const api = await emailsApi();
  const requestReset = (email: string) =>
    api.db.write((transaction) => queueEmail(transaction, api.services, ACCOUNT_EMAILS.reset, email));
  for (let count = 0; count < 30; count += 1) await requestReset(`stranger${count}@example.com`);
  api.pass(1);
  await requestReset(EMAIL);
  const [first] = await dueEmails(api.db, api.now(), 10);
  expect(first?.subjectId).toBe(EMAIL);
});
