import { expect, it } from 'vitest';
import { sendDigests } from '#server/contact/contact.ts';
import { emailsApi } from '#tests/server/support/emails.ts';
import { rowsOf, runSql } from '#tests/server/support/rows.ts';

const MESSAGE = {
  name: 'Asha Rao',
  email: 'asha@example.com',
  subject: 'An order',
  message: 'Where is it?\n<b>I have waited</b> a week.',
};

const send = async ({ ask }: Awaited<ReturnType<typeof emailsApi>>, more: object = {}): Promise<number> =>
  (await ask('/contact', { json: { ...MESSAGE, ...more } })).status;

it('sends a message to the company as plain text, with the sender as Reply-To, and stores none of it', async () => {
  const api = await emailsApi();
  expect(await send(api)).toBe(200);
  await api.sendDue();
  expect(api.server.received).toMatchObject([
    {
      recipients: ['care@freshfruits.example'],
      subject: 'Contact form: An order',
      replyTo: [{ address: MESSAGE.email }],
    },
  ]);
  expect(api.server.received[0]?.text).toContain('Where is it?\n\n<b>I have waited</b> a week.');
  expect(api.server.received[0]?.raw.replaceAll('=\r\n', '')).toContain('&lt;b&gt;I have waited');
  expect(await rowsOf(api.db, 'SELECT details FROM emails')).toEqual([{ details: '{}' }]);
});

it('sends nothing if the hidden field is filled in', async () => {
  const api = await emailsApi();
  expect(await send(api, { website: 'https://spam.example' })).toBe(200);
  expect(await rowsOf(api.db, 'SELECT id FROM emails')).toEqual([]);
});

it('limits the messages of a line, however many emails it names, but not those of its customers', async () => {
  const api = await emailsApi();
  for (let sent = 0; sent < 20; sent += 1)
    expect(await send(api, { email: `p${sent}@example.com` })).toBe(200);
  expect(await send(api, { email: 'meera@example.com' })).toBe(429);
  const { token } = await api.customer();
  expect((await api.ask('/contact', { token, json: MESSAGE })).status).toBe(200);
});

it('above 50 messages in an hour, the company gets one email with the others', async () => {
  const api = await emailsApi();
  for (let sent = 0; sent < 54; sent += 1)
    await api.ask('/contact', {
      json: { ...MESSAGE, email: `p${sent}@example.com`, message: `Message ${sent}` },
      from: `192.0.${sent}.1`,
    });
  await api.sendDue();
  expect(api.server.received).toHaveLength(50);
  // A sender's message is erased with the sender, and a message that was sent is in no digest.
  await runSql(api.db, "DELETE FROM emails WHERE subject_id = 'p53@example.com'");
  await sendDigests(api.services);
  await sendDigests(api.services);
  await api.sendDue();
  expect(api.server.received).toHaveLength(51);
  const last = api.server.received.at(-1);
  expect(last?.subject).toBe('Contact form: 3 messages');
  for (const sent of [50, 51, 52]) expect(last?.text).toContain(`Message ${sent}`);
});
