import { expect, it } from 'vitest';
import { forgetOld } from '#scripts/api/privacy/forget.ts';
import { testApi } from '#tests/api/support/api.ts';
import { readCsv } from '#tests/api/support/csv.ts';
import { lettersApi } from '#tests/api/support/letters.ts';
import { mainText } from '#tests/api/support/office.ts';
import { anyRow } from '#tests/api/support/rows.ts';

const DAY = 24 * 60 * 60_000;
const ASHA = 'asha@example.in';
const ONE_CLICK = '/api/v1/newsletter/one-click';
const PAGE = '/office/newsletter';

let owners = 0;

type Api = Awaited<ReturnType<typeof lettersApi>>;

const ask = (api: Api, email: string, more: object = {}) =>
  api.ask('/newsletter', { json: { email, ...more } });

const confirm = (api: Api, token: string) => api.ask('/newsletter/confirm', { json: { token } });

const leave = (api: Api, token: string) => api.ask('/newsletter/leave', { json: { token } });

const newest = ({ server }: Api) => server.received.at(-1);

/** The secret of the newest letter's link that confirms. */
const confirming = (api: Api): string =>
  /\/newsletter\/confirm#([\w-]+)/.exec(newest(api)?.text ?? '')?.[1] ?? '';

const headerOf = (api: Api, name: string): string | undefined =>
  newest(api)?.headers.find(({ key }) => key === name)?.value;

/** The secret by which the address of the newest letter leaves. */
const leaving = (api: Api): string =>
  /token=([\w-]+)/.exec(headerOf(api, 'list-unsubscribe') ?? '')?.[1] ?? '';

/** Asks for the newsletter with an address and confirms it. */
async function subscribe(api: Api, email: string, more: object = {}): Promise<void> {
  await ask(api, email, more);
  await api.round();
  expect((await confirm(api, confirming(api))).status).toBe(200);
  await api.round();
}

/** How many addresses get the newsletter, as the office says. */
async function countOf(api: Api): Promise<string | undefined> {
  const owner = await api.staff('owner', `owner${++owners}@example.com`);
  return /(\d+) address/.exec(mainText((await owner.get(PAGE)).text))?.[1];
}

it('[fault 106] an address that is new, asked before, subscribed or gone gets the same answer in the same bytes, and a letter', async () => {
  const api = await lettersApi();
  await subscribe(api, 'subscribed@example.in');
  await subscribe(api, 'gone@example.in');
  await leave(api, leaving(api));
  await ask(api, 'asked@example.in');
  await api.round();
  const before = api.server.received.length;
  const addresses = ['new@example.in', 'asked@example.in', 'subscribed@example.in', 'gone@example.in'];
  const answers = [];
  for (const email of addresses) answers.push(await ask(api, email));
  const [first] = answers;
  for (const answer of answers)
    expect([answer.status, answer.text, [...answer.headers]]).toEqual([
      200,
      '{}',
      [...(first?.headers ?? [])],
    ]);
  await api.round();
  const letters = api.server.received.slice(before);
  expect(letters.flatMap(({ recipients }) => recipients).sort()).toEqual(addresses.toSorted());
  expect(new Set(letters.map(({ subject }) => subject)).size).toBe(1);
});

it('whoever has opened the link of the letter gets the newsletter, and is told how to leave; the database and the log have no link that confirms', async () => {
  const api = await lettersApi();
  await ask(api, ' Asha@Example.in ', { language: 'hi' });
  await api.round();
  expect(newest(api)).toMatchObject({ recipients: [ASHA], subject: expect.stringContaining('न्यूज़लेटर') });
  const token = confirming(api);
  for (const table of ['letters', 'letter_links', 'subscribers'])
    expect(JSON.stringify(await api.db.all(anyRow, `SELECT * FROM ${table}`))).not.toContain(token);
  expect(await countOf(api)).toBe('0');

  expect((await confirm(api, 'x'.repeat(43))).status).toBe(422);
  expect((await confirm(api, token)).status).toBe(200);
  await api.round();
  const welcome = newest(api);
  expect(welcome).toMatchObject({ recipients: [ASHA], subject: expect.stringContaining('अब आपको मिलेगा') });
  const link = `http://localhost:8044${ONE_CLICK}?token=${leaving(api)}`;
  expect([headerOf(api, 'list-unsubscribe'), headerOf(api, 'list-unsubscribe-post')]).toEqual([
    `<${link}>`,
    'List-Unsubscribe=One-Click',
  ]);
  for (const form of [welcome?.text, welcome?.html]) expect(form).toContain(link);
  // A letter is opened again: nothing changes, and no letter is sent.
  expect((await confirm(api, token)).status).toBe(200);
  await api.round();
  expect(newest(api)).toBe(welcome);
  const lines = JSON.stringify(api.lines);
  for (const secret of [token, leaving(api), '@example.in']) expect(lines).not.toContain(secret);
});

it('a link works for a week, and no longer than until the address leaves', async () => {
  const api = await lettersApi();
  await ask(api, ASHA);
  await api.round();
  const late = confirming(api);
  api.pass(7 * DAY);
  expect((await confirm(api, late)).json).toEqual({
    error: 'This link no longer works. Please ask for a new one.',
  });
  await ask(api, ASHA);
  await api.round();
  const token = confirming(api);
  expect((await leave(api, leaving(api))).status).toBe(200);
  expect((await confirm(api, token)).status).toBe(422);
  await subscribe(api, ASHA);
  expect(await countOf(api)).toBe('1');
});

it('an address that confirms and leaves at the same moment has left', async () => {
  const api = await lettersApi();
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    await ask(api, `${name}@example.in`);
    await api.round();
    await Promise.all([confirm(api, confirming(api)), leave(api, leaving(api))]);
  }
  expect(await countOf(api)).toBe('0');
});

it('an address that leaves while its letter is written gets no link that confirms', async () => {
  const api = await lettersApi();
  await ask(api, ASHA);
  await api.round();
  const token = leaving(api);
  await ask(api, ASHA);
  api.whileWriting(() => leave(api, token));
  await api.round();
  expect(await api.db.all(anyRow, 'SELECT purpose FROM letter_links')).toEqual([]);
});

it('a mail program leaves by one post (RFC 8058); opening the same address only leads to the page that asks', async () => {
  const api = await lettersApi();
  await subscribe(api, ASHA);
  const path = `${ONE_CLICK}?token=${leaving(api)}`;
  const opened = await api.ask(path);
  expect([opened.status, opened.headers.get('location')]).toEqual([
    303,
    `http://localhost:4321/newsletter/leave#${leaving(api)}`,
  ]);
  expect(await countOf(api)).toBe('1');

  const fields = { 'List-Unsubscribe': 'One-Click' };
  const multipart = new FormData();
  multipart.set('List-Unsubscribe', 'One-Click');
  for (const body of [multipart, new URLSearchParams(fields)]) {
    expect((await api.ask(path, { body })).status).toBe(200);
    expect(await countOf(api)).toBe('0');
  }
  expect((await api.ask(path, { json: fields })).status).toBe(415);
  for (const wrong of ['', '?token=', `?token=${'x'.repeat(43)}`, '?token=%23evil'])
    expect((await api.ask(ONE_CLICK + wrong, { body: new URLSearchParams(fields) })).status).toBe(422);
  expect((await leave(api, 'x'.repeat(43))).json).toEqual({
    error: expect.stringContaining('please write to us'),
  });
});

it('what fills in every field gets the same answer, and nothing is kept', async () => {
  const api = await lettersApi();
  const answer = await ask(api, ASHA, { website: 'https://example.com' });
  expect([answer.status, answer.text]).toEqual([200, '{}']);
  for (const table of ['letters', 'subscribers'])
    expect(await api.db.all(anyRow, `SELECT * FROM ${table}`)).toEqual([]);
});

it('asking is limited for each email, known or not', async () => {
  const api = await lettersApi();
  await subscribe(api, ASHA);
  for (const [email, left] of [
    [ASHA, 4],
    ['nobody@example.in', 5],
  ] as const) {
    for (let count = 0; count < left; count += 1) expect((await ask(api, email)).status).toBe(200);
    expect((await ask(api, email)).status).toBe(429);
  }
});

it('an address goes by itself 30 days after it was asked for and not confirmed, or has left; one that gets the newsletter stays', async () => {
  const api = await lettersApi();
  await subscribe(api, 'stays@example.in');
  for (const email of ['left@example.in', 'back@example.in']) {
    await subscribe(api, email);
    await leave(api, leaving(api));
  }
  await ask(api, 'asked@example.in');
  const kept = async () => {
    await forgetOld(api.shop);
    return (await api.db.all(anyRow, 'SELECT email FROM subscribers ORDER BY email')).map(
      ({ email }) => email,
    );
  };
  api.pass(29 * DAY);
  await ask(api, 'back@example.in');
  expect(await kept()).toEqual(['asked', 'back', 'left', 'stays'].map((name) => `${name}@example.in`));
  api.pass(2 * DAY);
  expect(await kept()).toEqual(['back@example.in', 'stays@example.in']);
  api.pass(30 * DAY);
  expect(await kept()).toEqual(['stays@example.in']);
});

it('a shop without letters has no newsletter', async () => {
  const { ask: asks } = await testApi({ settings: { mail: undefined } });
  for (const [path, json] of [
    ['/newsletter', { email: ASHA }],
    ['/newsletter/confirm', { token: 'x' }],
  ] as const)
    expect((await asks(path, { json })).status).toBe(404);
});

it('[fault 124] owners see how many there are, download them with their links, and take off who wrote; the log tells both', async () => {
  const api = await lettersApi();
  await subscribe(api, 'z@example.in', { language: 'hi' });
  const link = leaving(api);
  await subscribe(api, '+a@example.in');
  await ask(api, 'asked@example.in');
  const owner = await api.staff('owner');
  expect(mainText((await owner.get(PAGE)).text)).toContain(
    '2 addresses get the newsletter; 1 did not confirm yet, 0 left.',
  );
  const file = await owner.submit(PAGE, `${PAGE}/export`);
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(readCsv(file.text)).toEqual([
    ['Email', 'Language', 'Confirmed', 'Leave link'],
    ["'+a@example.in", 'en', '2026-01-05T10:00:00.000Z', expect.stringContaining(ONE_CLICK)],
    [
      'z@example.in',
      'hi',
      '2026-01-05T10:00:00.000Z',
      expect.stringMatching(`${ONE_CLICK}\\?token=${link}$`),
    ],
  ]);
  const wrong = await owner.submit(PAGE, `${PAGE}/leave`, { email: 'nobody@example.in' });
  expect([wrong.status, mainText(wrong.text)]).toEqual([
    422,
    expect.stringContaining('Nobody asked for the newsletter'),
  ]);
  await owner.submit(PAGE, `${PAGE}/leave`, { email: 'z@example.in' });
  expect(mainText((await owner.get(PAGE)).text)).toContain(
    '1 address gets the newsletter; 1 did not confirm',
  );
  const log = mainText((await owner.get('/office/log')).text);
  expect(log).toContain('newsletter CSV');
  expect(log).toContain('newsletter an address');
  expect(log).not.toContain('z@example.in');

  for (const role of ['editor', 'packer'] as const) {
    const other = await api.staff(role);
    expect((await other.get(PAGE)).status).toBe(403);
    expect((await other.post(`${PAGE}/export`, new URLSearchParams())).status).toBe(403);
  }
});
