import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '#scripts/api/shop/limits.ts';
import { lettersApi } from '#tests/api/support/letters.ts';
import { filledForm, mainText } from '#tests/api/support/office.ts';
import { anyRow } from '#tests/api/support/rows.ts';

const HOUR = 3_600_000;

const MESSAGE = {
  name: 'Asha Rao',
  email: 'asha@example.com',
  subject: 'An order',
  message: 'Where is it?\nI have waited a week.',
};

const AnswerSchema = v.object({ ticket: v.pipe(v.string(), v.regex(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/)) });

type Api = Awaited<ReturnType<typeof lettersApi>>;

const write = async (api: Api, more: object = {}): Promise<string> => {
  const { status, json } = await api.ask('/messages', { json: { ...MESSAGE, ...more } });
  expect(status).toBe(201);
  return v.parse(AnswerSchema, json).ticket;
};

describe('messages', () => {
  it('get a ticket on the page and by letter, and an answer of the staff as a letter, once', async () => {
    const api = await lettersApi();
    const packer = await api.staff('packer');
    const ticket = await write(api);
    await api.round();
    expect(api.server.received).toMatchObject([
      { recipients: [MESSAGE.email], subject: `We have your message, ticket ${ticket}` },
    ]);
    // The address may be somebody else's, so nothing that was typed goes there.
    for (const typed of ['Asha', 'An order', 'Where is it?'])
      expect(api.server.received[0]?.raw).not.toContain(typed);

    const page = `/office/messages/${ticket}`;
    expect(mainText((await packer.get(page)).text)).toContain('Where is it?I have waited a week.');
    expect(await packer.submit(page, `${page}/answer`, { answer: '  ' })).toMatchObject({ status: 422 });
    await packer.submit(page, `${page}/answer`, { answer: 'Tomorrow.\r\nPromised.' });
    await api.round();
    const [, answer] = api.server.received;
    expect(answer).toMatchObject({
      recipients: [MESSAGE.email],
      subject: `Our answer to your message, ticket ${ticket}`,
      replyTo: [{ address: 'care@freshfruits.example' }],
    });
    for (const line of ['Hello Asha Rao,', 'Tomorrow.', 'Promised.', 'You wrote: An order', 'Where is it?'])
      expect(answer?.text).toContain(line);
    expect(mainText((await packer.get(page)).text)).toContain('Tomorrow.Promised.');
    expect(mainText((await packer.get('/office/messages')).text)).toContain('0 wait for an answer');
  });

  it('are answered by one of two who answer at once', async () => {
    const api = await lettersApi();
    const [one, other] = [await api.staff('packer'), await api.staff('owner')];
    const ticket = await write(api, { language: 'hi' });
    const page = `/office/messages/${ticket}`;
    const opened = await Promise.all(
      [one, other].map(async (person) => {
        const answer = `From ${person.email}`;
        return { person, form: filledForm((await person.get(page)).text, `${page}/answer`, { answer }) };
      }),
    );
    const pages = await Promise.all(opened.map(({ person, form }) => person.post(`${page}/answer`, form)));
    expect(pages.map(({ status }) => status).sort()).toEqual([303, 409]);
    const loser = pages.findIndex(({ status }) => status === 409);
    // What the other had written is not lost.
    expect(mainText(pages[loser]?.text ?? '')).toContain(
      `You had written: From ${[one, other][loser]?.email}`,
    );
    await api.round();
    expect(api.server.received.map(({ subject }) => subject).sort()).toEqual([
      `आपका संदेश हमें मिल गया, टिकट ${ticket}`,
      `आपके संदेश का हमारा जवाब, टिकट ${ticket}`,
    ]);
  });

  it('that wait for more than 48 hours are late and on top, and can be closed without an answer', async () => {
    const api = await lettersApi();
    const late = await write(api, { subject: 'The first' });
    api.pass(49 * HOUR);
    await write(api, { subject: 'The second' });
    const owner = await api.staff('owner');
    const list = async () => mainText((await owner.get('/office/messages')).text);
    expect(await list()).toMatch(/2 wait for an answer, 1 of them .*The first.*Late.*The second.*Waits/);
    expect(mainText((await owner.get('/office')).text)).toMatch(
      /What waits ?1 message has waited for more than 48 hours ?2 messages to answer/,
    );
    const page = `/office/messages/${late}`;
    await owner.submit(page, `${page}/close`);
    await api.round();
    expect(api.server.received).toHaveLength(2);
    expect(await list()).toMatch(/The second.*Waits.*The first.*Closed without an answer/);
    const editor = await api.staff('editor');
    expect((await editor.get('/office/messages')).status).toBe(403);
  });

  it('are found by their ticket, however it was typed, and by the email', async () => {
    const api = await lettersApi();
    const ticket = await write(api, { subject: 'The first' });
    await write(api, { subject: 'The second', email: 'meera@example.com' });
    const packer = await api.staff('packer');
    const find = async (sought: string) => {
      const { status, text } = await packer.submit('/office/messages', '/office/messages/search', { sought });
      return [status, /The first/.test(text), /The second/.test(text)];
    };
    expect(await find(` ${ticket.toLowerCase()} `)).toEqual([200, true, false]);
    expect(await find('Meera@example.com')).toEqual([200, false, true]);
    expect(await find('AAAA-2222')).toEqual([422, false, false]);
  });

  it('sent again after a lost answer have the same ticket and no second letter; once answered, they count anew', async () => {
    const api = await lettersApi();
    const [ticket, again] = await Promise.all([write(api), write(api)]);
    expect(again).toBe(ticket);
    expect(await write(api, { message: 'Something else' })).not.toBe(ticket);
    const packer = await api.staff('packer');
    const page = `/office/messages/${ticket}`;
    await packer.submit(page, `${page}/answer`, { answer: 'Soon.' });
    expect(await write(api)).not.toBe(ticket);
    await api.round();
    expect(api.server.received).toHaveLength(4);
  });

  it('may have several lines, and lose the marks of direction that phones copy along with a number', async () => {
    const api = await lettersApi();
    const ticket = await write(api, { message: 'Call\t\u202a98765 43210\u202c\r\nplease' });
    expect(await api.db.all(anyRow, 'SELECT ticket, message FROM messages')).toEqual([
      { ticket, message: 'Call 98765 43210\nplease' },
    ]);
  });

  it('with the field filled in that nobody sees get the same answer, and nothing is kept or sent', async () => {
    const api = await lettersApi();
    await write(api, { website: 'https://spam.example' });
    await api.round();
    expect(await api.db.all(anyRow, 'SELECT * FROM messages')).toEqual([]);
    expect(api.server.received).toEqual([]);
  });

  it('are limited by the email alone where many share an address', async () => {
    const api = await lettersApi();
    for (let sent = 0; sent < LIMITS.messages.most; sent += 1) await write(api, { subject: `${sent}` });
    expect((await api.ask('/messages', { json: MESSAGE })).status).toBe(429);
    await write(api, { email: 'meera@example.com' });
  });

  it('[fault 107] bring no header and no recipient by line breaks in a name, a subject or an address', async () => {
    const api = await lettersApi();
    const bad = 'a\r\nBcc: victim@example.com';
    for (const more of [{ name: bad }, { subject: bad }, { email: `asha@example.com${bad}` }])
      expect((await api.ask('/messages', { json: { ...MESSAGE, ...more } })).status).toBe(422);
    // As an earlier version may have stored it.
    const ticket = await write(api);
    await api.db.write((transaction) =>
      transaction.run('UPDATE messages SET name = ?, subject = ?', bad, bad),
    );
    const owner = await api.staff('owner');
    const page = `/office/messages/${ticket}`;
    await owner.submit(page, `${page}/answer`, { answer: 'Soon.\nBcc: victim@example.com' });
    await api.round();
    expect(api.server.received).toHaveLength(2);
    for (const { recipients, headers } of api.server.received) {
      expect(recipients).toEqual([MESSAGE.email]);
      expect(headers.some(({ key }) => key === 'bcc')).toBe(false);
    }
  });
});
