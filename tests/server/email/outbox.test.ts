import { describe, expect, it } from 'vitest';
import { EMAILS } from '#server/app/emails.ts';
import { startMailer } from '#server/email/send.ts';
import { CONNECTIONS } from '#server/email/transport.ts';
import { HOUR, MINUTE, SECOND } from '#server/process/clock.ts';
import { mainText } from '#tests/server/support/admin.ts';
import { ORDERS, packing, shopWithOrder } from '#tests/server/support/admin-orders.ts';
import { MANGO, withCustomer } from '#tests/server/support/api.ts';
import { emailsApi } from '#tests/server/support/emails.ts';
import { rowsOf, runSql, valuesOf } from '#tests/server/support/rows.ts';

type Api = Awaited<ReturnType<typeof emailsApi>>;

const place = async (api: Api, token: string, more: object = {}): Promise<string> =>
  (await api.placeOrder(token, { [MANGO]: 2 }, more)).id;

const subjects = ({ server }: Api) => server.received.map(({ subject }) => subject);
const states = ({ db }: Api) => valuesOf(db, 'SELECT state FROM emails');

/** Sends the emails that are due every half minute, for this long. */
async function wait(api: Api, milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 30 * SECOND) {
    api.pass(30 * SECOND);
    await api.sendDue();
  }
}

describe('emails', () => {
  it('report each step of an order, in the shopper’s language, as text and HTML', async () => {
    const api = await packing();
    const page = `${ORDERS}/${await api.place({}, { language: 'hi' })}`;
    api.pass(24 * HOUR);
    await api.sendDue();
    const owner = await api.staff('owner', 'next-day@example.com');
    const press = async (path: string, action: string, fields = {}) => {
      await owner.submit(path, action, fields);
      api.pass(2 * MINUTE);
      await api.sendDue();
    };
    await press(page, `${page}/process`);
    const acknowledged = '₹1,798 of this order is not paid.';
    await press(page, `${page}/ship`, { tracking: 'AB123456789IN', acknowledged });
    await press(page, `${page}/deliver`);
    const cancel = `${ORDERS}/${await api.place()}/cancel`;
    await press(cancel, cancel);
    expect(subjects(api)).toEqual([
      expect.stringMatching(/^आपका ऑर्डर FF-1001-\w{4} हमें मिल गया$/),
      expect.stringMatching(/^आपका ऑर्डर FF-1001-\w{4} रवाना हो गया$/),
      expect.stringMatching(/^आपका ऑर्डर FF-1001-\w{4} पहुँच गया$/),
      // It was cancelled before the confirmation could be sent.
      expect.stringMatching('was cancelled'),
    ]);
    const [, shipped, delivered] = api.server.received;
    expect(delivered?.text).toContain('13 जनवरी 2026 तक');
    const parts = expect.stringMatching(/नमस्ते Asha,.*AB123456789IN.*₹1,798/s);
    const from = { address: 'orders@shop.example' };
    expect(shipped).toMatchObject({ recipients: [api.email], from, text: parts, html: parts });
    expect(new Set(await states(api))).toEqual(new Set(['sent', 'dropped']));
  });

  it('are each sent once after the mail server was down for an hour, while orders went on', async () => {
    const api = await emailsApi();
    await api.server.close();
    const { token } = await api.customer();
    await place(api, token);
    await wait(api, 30 * MINUTE);
    await place(api, token);
    await wait(api, 30 * MINUTE);
    expect(subjects(api)).toEqual([]);
    const owner = await api.staff('owner');
    expect(mainText((await owner.get('/admin/emails')).text)).toContain('2 waiting');
    await api.server.open();
    await wait(api, 6 * MINUTE);
    expect(subjects(api)).toHaveLength(2);
    expect(new Set(api.server.received.map(({ messageId }) => messageId)).size).toBe(2);
  });

  it('are sent again with the same Message-ID if the server dies after DATA', async () => {
    const { token, ...api } = await withCustomer(emailsApi());
    await place(api, token);
    api.server.misbehave(() => 'dies after DATA');
    await api.sendDue();
    expect(subjects(api)).toHaveLength(1);
    api.server.misbehave(() => undefined);
    await api.server.open();
    await wait(api, MINUTE);
    const [first, second, ...others] = api.server.received;
    expect(second?.messageId).toBe(first?.messageId);
    expect(first?.messageId).toMatch(/^<[\w-]{36}@shop\.example>$/);
    expect(others).toEqual([]);
  });

  it('to a refused address delay no others; the admin shows them and sends them again', async () => {
    const api = await emailsApi();
    api.server.misbehave((address) => (address === 'gone@example.com' ? { refuse: 550 } : undefined));
    const refused = await api.customer('gone@example.com');
    const other = await api.customer('other@example.com');
    await place(api, refused.token);
    await place(api, other.token);
    await api.sendDue();
    expect(api.server.received.map(({ recipients }) => recipients)).toEqual([['other@example.com']]);
    await wait(api, HOUR);
    const owner = await api.staff('owner');
    const list = mainText((await owner.get('/admin/emails')).text);
    expect(list).toMatch(/gone@example\.com.*No such mailbox here/);
    api.server.misbehave(() => undefined);
    await owner.submit('/admin/emails', '/admin/emails/again');
    await api.sendDue();
    expect(api.server.received.map(({ recipients }) => recipients)).toEqual([
      ['other@example.com'],
      ['gone@example.com'],
    ]);
    expect(JSON.stringify(api.lines)).not.toContain('@example.com');
  });

  it('that are refused temporarily are retried after longer and longer pauses, and fail after three days', async () => {
    const api = await emailsApi();
    let tries: number[] = [];
    api.server.misbehave(() => {
      tries = [...tries, api.now()];
      return { refuse: 451 };
    });
    const { token } = await api.customer();
    await place(api, token);
    await api.sendDue();
    await wait(api, 2 * HOUR);
    const gaps = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
    expect(gaps).toEqual([MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR]);
    api.pass(72 * HOUR);
    await api.sendDue();
    expect(await states(api)).toEqual(['failed']);
  });

  it('are sent once each by several processes that send at the same moment', async () => {
    const { token, ...api } = await withCustomer(emailsApi());
    for (let count = 0; count < 20; count += 1) await place(api, token);
    await Promise.all([api.sendDue(), api.sendDue(), api.sendDue()]);
    expect(new Set(api.server.received.map(({ messageId }) => messageId)).size).toBe(20);
    expect(api.server.received).toHaveLength(20);
  });

  it('are retried after a refusal that is about the shop’s quota', async () => {
    const api = await emailsApi();
    api.server.misbehave(() => ({ refuse: 550, words: '5.4.5 Daily sending quota exceeded' }));
    const { token } = await api.customer();
    await place(api, token);
    await api.sendDue();
    expect(await states(api)).toEqual(['waiting']);
    api.server.misbehave(() => undefined);
    await wait(api, MINUTE);
    expect(subjects(api)).toHaveLength(1);
  });

  it.each([
    [452, '4.2.2 The recipient is out of storage space'],
    [552, '5.2.2 Mailbox full'],
    [550, 'The mailbox of this user is over quota'],
  ])('to a full mailbox are retried for a day, which the order shows: %s %s', async (refuse, words) => {
    const api = await shopWithOrder();
    api.server.misbehave(() => ({ refuse, words }));
    await api.sendDue();
    expect(await api.read()).toContain('is tried again');
    api.pass(23 * HOUR);
    await api.sendDue();
    expect(await states(api)).toEqual(['waiting']);
    api.pass(4 * HOUR);
    await api.sendDue();
    expect(await states(api)).toEqual(['failed']);
    const other = await api.staff('owner', 'other@example.com');
    expect(mainText((await other.get(api.page)).text)).toMatch(/could not be sent\. .*Call the customer/);
  });

  it('on which the mail server hangs up delay no others', async () => {
    const api = await emailsApi();
    api.server.misbehave((address) => (address.startsWith('bad') ? 'hangs up' : undefined));
    const placeFor = async (email: string) => place(api, (await api.customer(email)).token);
    // The newest are sent first: one for each connection, and one after them.
    await placeFor('next@example.com');
    api.pass(SECOND);
    for (let count = 0; count < CONNECTIONS; count += 1) await placeFor(`bad-first${count}@example.com`);
    await api.sendDue();
    expect(subjects(api)).toHaveLength(1);
    for (let count = 0; count < 30; count += 1) await placeFor(`bad${count}@example.com`);
    await wait(api, MINUTE);
    for (let count = 0; count < 6; count += 1) {
      await placeFor(`good${count}@example.com`);
      // The others are due again.
      api.pass(HOUR);
      await api.sendDue();
      expect(subjects(api)).toHaveLength(count + 2);
    }
  });

  it('are sent once to a slow mail server, which accepts others meanwhile', async () => {
    const api = await emailsApi();
    const { promise: until, resolve: takeIt } = Promise.withResolvers<void>();
    api.server.misbehave((address) => (address === 'slow@example.com' ? { until } : undefined));
    await place(api, (await api.customer('slow@example.com')).token);
    const slow = api.mailer.sendDue();
    await expect.poll(() => subjects(api)).toHaveLength(1);
    await place(api, (await api.customer('other@example.com')).token);
    await api.mailer.sendDue();
    const claimedUntil = () => valuesOf(api.db, "SELECT next_try_at FROM emails WHERE state = 'waiting'");
    for (let count = 0; count < 3; count += 1) {
      const before = await claimedUntil();
      api.pass(20 * SECOND);
      await expect.poll(claimedUntil).not.toEqual(before);
      await api.mailer.sendDue();
    }
    expect(subjects(api)).toHaveLength(2);
    takeIt();
    await slow;
    await wait(api, HOUR);
    expect(subjects(api)).toHaveLength(2);
  });

  it('that could not be sent for three days have failed, and are not sent late', async () => {
    const api = await emailsApi();
    await place(api, (await api.customer()).token);
    api.pass(73 * HOUR);
    await api.sendDue();
    expect(subjects(api)).toEqual([]);
    expect(await rowsOf(api.db, 'SELECT state, failure FROM emails')).toEqual([
      { state: 'failed', failure: 'It waited too long, and was not tried.' },
    ]);
  });

  it('stay in the outbox when a process stops that waits for a slow mail server', async () => {
    const api = await emailsApi();
    const { promise: until, resolve: takeIt } = Promise.withResolvers<void>();
    api.server.misbehave(() => ({ until }));
    await place(api, (await api.customer()).token);
    const stop = startMailer(api.services, EMAILS);
    await expect.poll(() => subjects(api)).toHaveLength(1);
    await stop();
    expect(await states(api)).toEqual(['waiting']);
    takeIt();
  });

  it('get no further header or recipient from line breaks in a name or an address', async () => {
    const api = await emailsApi();
    const breaks = ['\r\nBcc: eve@example.com', '\nSubject: Free', '\r\n\r\n<b>Hello'];
    // No call takes them (tests/server/app/every-call.test.ts), but an earlier version may have stored them.
    const { token } = await api.customer('kiran@example.com');
    for (const end of breaks) {
      await runSql(api.db, 'UPDATE customers SET first_name = ?', `Asha${end}`);
      await place(api, token);
      await api.sendDue();
    }
    expect(api.server.received).toHaveLength(breaks.length);
    for (const { recipients, headers, subject } of api.server.received) {
      expect(recipients).toEqual(['kiran@example.com']);
      expect(headers.map(({ key }) => key)).not.toContain('bcc');
      expect(subject).toMatch(/^We have your order/);
    }
    for (const end of ['\r\nRCPT TO:<eve@example.com>', ', eve@example.com']) {
      await runSql(api.db, 'UPDATE customers SET email = ?', `kiran@example.com${end}`);
      await place(api, token);
    }
    await api.sendDue();
    expect(api.server.received).toHaveLength(breaks.length);
    // Refused before the mail server is contacted.
    const failures = await valuesOf(api.db, "SELECT failure FROM emails WHERE state = 'failed'");
    expect(failures).toEqual(['This is no address.', 'This is no address.']);
  });
});

it('the admin previews every email in both languages, without secrets', async () => {
  const api = await emailsApi();
  const owner = await api.staff('owner');
  const { text } = await owner.get('/admin/emails');
  const previews = [...text.matchAll(/href="(\/admin\/emails\/\w+\/(?:en|hi))"/g)].map(
    ([, path = '']) => path,
  );
  expect(previews.length).toBeGreaterThanOrEqual(14);
  for (const path of previews) {
    const shown = await owner.get(path);
    expect(shown.status, path).toBe(200);
    expect(shown.headers.get('content-security-policy')).toContain('sandbox');
    for (const [, secret = ''] of shown.text.matchAll(/#([^"<\s]+)</g)) expect(secret).toMatch(/^•+$/);
  }
});
