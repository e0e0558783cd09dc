import { expect, test, vi } from 'vitest';
import type { Database } from '#server/db/database.ts';
import { inviteStaffMember } from '#server/staff/command.ts';
import { setPassword } from '#server/staff/stored-staff.ts';
import {
  ADMIN_PASSWORD,
  adminApi,
  documentOf,
  expectPage,
  mainText,
  ORIGIN,
} from '#tests/server/support/admin.ts';
import { PASSWORD, standStill, testApi } from '#tests/server/support/api.ts';
import { countRows, rowsOf, runSql, valuesOf } from '#tests/server/support/rows.ts';

const SIGN_IN = '/admin/sign-in';
const CREDENTIALS = { email: 'owner@example.com', password: ADMIN_PASSWORD };
const CHANGED_PASSWORD = { current: ADMIN_PASSWORD, password: 'papayas after monsoon' };
const PUBLIC = 'http://api.example';
const VIA_HTTPS = { 'X-Forwarded-Proto': 'https' };

test('answers 404 without the setting of the admin', async () => {
  const { ask } = await testApi();
  const [admin, unknown] = [await ask('/admin'), await ask('/admin-of-nobody')];
  expect([admin.status, admin.text]).toEqual([404, unknown.text]);
});

test('keeps the token of a link after the #, and uses it up by POST, not by GET', async () => {
  const { browser, tools } = await adminApi();
  const link = await inviteStaffMember(tools, 'asha@example.com', 'packer', 'Asha');
  expect(link).toMatch(/^http:\/\/localhost:8044\/admin\/link#[\w-]{43}&email=[\w.%-]+$/);
  const asha = browser();
  for (const _ of [1, 2]) expect((await asha.get('/admin/link')).text).toContain('name="token" value=""');
  const short = await asha.takeLink(link, 'short');
  expectPage(short, 422, 'at least 10');
  const used = await asha.submit('/admin/link', '/admin/link', {
    password: ADMIN_PASSWORD,
    token: documentOf(short.text).querySelector('[name=token]')?.getAttribute('value') ?? '',
  });
  expect([used.status, used.location]).toEqual([303, '/admin']);
  const home = await asha.get('/admin');
  expect(home.text).toContain('Hello Asha');
  expect(home.text).toContain('Your password is set.');
  expect((await browser().takeLink(link, 'another password')).status).toBe(404);
});

test.each([
  ['14 minutes after it was made', 14, 422],
  ['15 minutes after it was made', 15, 404],
])('answers a link %s with status %s', async (_when, minutes, status) => {
  const { browser, tools, pass } = await adminApi();
  const link = await inviteStaffMember(tools, 'asha@example.com', 'owner');
  pass(minutes * 60_000);
  expect((await browser().takeLink(link, 'short')).status).toBe(status);
});

test('returns to the requested page after signing in, and never to another site', async () => {
  const { browser, staff } = await adminApi();
  await staff('owner');
  const visitor = browser();
  const requested = await visitor.get('/admin/log?page=2');
  expect([requested.status, requested.location]).toEqual([303, `${SIGN_IN}?to=%2Fadmin%2Flog%3Fpage%3D2`]);
  const back = await visitor.submit(requested.location ?? '', SIGN_IN, CREDENTIALS);
  expect([back.status, back.location]).toEqual([303, '/admin/log?page=2']);
  for (const to of [
    'https://evil.example/admin',
    '//evil.example/admin',
    '/\\evil.example',
    '/admin/../gateway/upi',
    '/officer',
    'javascript:alert(1)',
    '/admin\t/../..//evil.example',
    '',
  ]) {
    const answer = await browser().post(SIGN_IN, new URLSearchParams({ ...CREDENTIALS, to }));
    expect([to, answer.status, answer.location]).toEqual([to, 303, '/admin']);
  }
});

test('ends a session after 12 hours, at sign-out, and when role or password change', async () => {
  const { browser, staff, pass, db } = await adminApi();
  const isIn = async ({ get }: Pick<ReturnType<typeof browser>, 'get'>) =>
    (await get('/admin')).status === 200;
  const owner = await staff('owner');
  const [phone, computer] = [browser(), browser()];
  for (const one of [phone, computer]) await one.submit(SIGN_IN, SIGN_IN, CREDENTIALS);
  expect([await isIn(phone), await isIn(computer)]).toEqual([true, true]);

  const cookie = [...computer.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  await computer.post('/admin/sign-out', new URLSearchParams());
  expect((await browser().get('/admin', { Cookie: cookie })).status).toBe(303);

  const { text } = await owner.get('/admin/password');
  expect(text).toMatch(/autoComplete="username"[^>]* value="owner@example.com"/i);
  await owner.submit('/admin/password', '/admin/password', CHANGED_PASSWORD);
  expect([await isIn(owner), await isIn(phone)]).toEqual([true, false]);

  const packer = await staff('packer');
  const path = `/admin/staff/${packer.id}`;
  await owner.submit(path, `${path}/role`, { role: 'editor', current: CHANGED_PASSWORD.password });
  expect(await isIn(packer)).toBe(false);

  pass(12 * 60 * 60_000);
  expect(await isIn(owner)).toBe(false);
  expect(JSON.stringify(await rowsOf(db, 'SELECT * FROM tokens'))).not.toContain(owner.cookies.get('admin'));
});

test('answers a wrong password and an unknown email alike', async () => {
  const { browser, staff } = await adminApi();
  await staff('owner');
  const body = (email: string) => new URLSearchParams({ email, password: 'wrong password', to: '/admin' });
  const answers = await Promise.all(
    ['owner@example.com', 'nobody@example.com'].map((email) => browser().post(SIGN_IN, body(email))),
  );
  const texts = answers.map(({ text }) =>
    text.replaceAll(/name="form" value="[^"]*"/g, '').replaceAll(/(?:owner|nobody)@example\.com/g, ''),
  );
  expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  expect(texts[0]).toBe(texts[1]);
  expect(mainText(answers[0]?.text ?? '')).toContain('Invalid email or password.');
});

test('blocks the eleventh attempt of a line after ten wrong passwords, but neither other lines nor a known device', async () => {
  standStill();
  const { browser, staff } = await adminApi();
  const owner = await staff('owner');
  const wrong = new URLSearchParams({ email: CREDENTIALS.email, password: 'wrong password' });
  for (let attempt = 0; attempt < 10; attempt += 1) {
    expect((await browser('127.0.1.7').post(SIGN_IN, wrong)).status).toBe(401);
  }
  const blocked = await browser('127.0.1.7').post(SIGN_IN, new URLSearchParams(CREDENTIALS));
  expect([blocked.status, blocked.headers.get('retry-after')]).toEqual([429, '900']);
  expect(mainText(blocked.text)).toContain('in 15 minutes');
  expect((await browser().post(SIGN_IN, new URLSearchParams(CREDENTIALS))).status).toBe(303);
  await owner.post('/admin/sign-out', new URLSearchParams());
  expect((await owner.post(SIGN_IN, new URLSearchParams(CREDENTIALS))).status).toBe(303);
});

test.each([
  ['is set over http on this computer', {}, ORIGIN, {}, 303],
  ['needs https elsewhere', { trustedProxies: ['10.0.0.1'] }, PUBLIC, {}, 403],
  ['is set behind a proxy with https', { trustedProxies: ['10.0.0.1'] }, PUBLIC, VIA_HTTPS, 303],
  ['is refused to a caller who says https', {}, PUBLIC, VIA_HTTPS, 403],
])('the cookie %s', async (_what, settings, origin, headers, expected) => {
  const isHere = origin === ORIGIN;
  const apiOrigin = isHere ? undefined : 'https://api.example';
  const { app, staff } = await adminApi({ settings: { apiOrigin, ...settings } });
  await staff('owner');
  const remoteAddress = isHere ? '127.0.0.1' : '10.0.0.1';
  const sent = { 'Sec-Fetch-Site': 'same-origin', ...headers };
  const body = new URLSearchParams(CREDENTIALS);
  const incoming = { socket: { remoteAddress } };
  const answer = await app.request(
    `${origin}${SIGN_IN}`,
    { method: 'POST', body, headers: sent },
    { incoming },
  );
  expect(answer.status).toBe(expected);
  const cookie = isHere
    ? /^admin=[\w-]{43}; Max-Age=43200; Path=\/admin; HttpOnly; SameSite=Strict$/
    : /^__Secure-admin=[\w-]{43}; Max-Age=43200; Path=\/admin; HttpOnly; Secure; SameSite=Strict$/;
  if (expected === 303) expect(answer.headers.getSetCookie()[0]).toMatch(cookie);
});

test.each<[remoteAddress: string, headers: Record<string, string>]>([
  ['203.0.113.7', {}],
  ['127.0.0.1', { 'X-Forwarded-For': '203.0.113.7' }],
  ['127.0.0.1', { 'X-Forwarded-Proto': 'http' }],
  ['127.0.0.1', { 'X-Forwarded-Host': 'localhost' }],
  ['127.0.0.1', { Forwarded: 'for=203.0.113.7' }],
  ['127.0.0.1', { 'X-Real-IP': '203.0.113.7' }],
  ['127.0.0.1', { Via: '1.1 proxy' }],
])(
  'refuses plain http to %s, which claims to be localhost, with the headers %j',
  async (remoteAddress, headers) => {
    const { app } = await adminApi();
    for (const host of ['localhost:8044', '127.0.0.1:8044', '[::1]:8044']) {
      const incoming = { socket: { remoteAddress } };
      const { status } = await app.request(`http://${host}${SIGN_IN}`, { headers }, { incoming });
      expect(status).toBe(403);
    }
    const incoming = { socket: { remoteAddress: '::ffff:127.0.0.1' } };
    expect((await app.request(`http://localhost:8044${SIGN_IN}`, {}, { incoming })).status).toBe(200);
  },
);

test('stores no hash of a form with passwords that could reveal them', async () => {
  const { staff, db } = await adminApi();
  for (const email of ['one@example.com', 'other@example.com']) {
    const packer = await staff('packer', email);
    const fields = { ...CHANGED_PASSWORD, form: 'a-number-of-a-form-01' };
    expect((await packer.submit('/admin/password', '/admin/password', fields)).location).toBe('/admin');
  }
  expect(new Set(await valuesOf(db, 'SELECT form_hash FROM admin_forms')).size).toBe(2);
});

/** Commits another change just before the next transaction begins. */
function beforeNextWrite(db: Database, change: () => Promise<unknown>): void {
  const { write } = db;
  vi.spyOn(db, 'write').mockImplementationOnce(async (work) => {
    await change();
    return write(work);
  });
}

test.each([
  ['starts no staff session', SIGN_IN, CREDENTIALS, 401],
  ['does not change the password', '/admin/password', CHANGED_PASSWORD, 422],
])('%s if the password changes in the same moment', async (_what, page, fields, status) => {
  const { staff, browser, db } = await adminApi();
  const owner = await staff('owner');
  beforeNextWrite(db, () => db.write((transaction) => setPassword(transaction, owner.id, 'another hash')));
  const answer = await (page === SIGN_IN ? browser() : owner).submit(page, page, fields);
  expect([answer.status, await countRows(db, 'tokens')]).toEqual([status, 0]);
});

test('starts no customer session if the password changes in the same moment', async () => {
  const { ask, db } = await testApi();
  const customer = { email: 'asha@example.com', password: PASSWORD };
  await ask('/users/register', { json: { ...customer, firstName: 'Asha', lastName: 'Rao' } });
  beforeNextWrite(db, () => runSql(db, "UPDATE customers SET password_hash = 'another hash'"));
  const answer = await ask('/users/authorize', { json: customer });
  expect([answer.status, await countRows(db, 'tokens')]).toEqual([401, 0]);
});
