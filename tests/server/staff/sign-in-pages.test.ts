import * as v from 'valibot';
import { expect, test } from 'vitest';
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
import { PASSWORD, testApi } from '#tests/server/support/api.ts';
import { openEmptyDatabase } from '#tests/server/support/databases.ts';
import { allRows, countRows, rowsOf, runSql } from '#tests/server/support/rows.ts';

const SIGN_IN = '/admin/sign-in';
const CREDENTIALS = { email: 'owner@example.com', password: ADMIN_PASSWORD };

test('answers 404 without the setting of the admin', async () => {
  const { ask } = await testApi();
  const [admin, unknown] = [await ask('/admin'), await ask('/admin-of-nobody')];
  expect([admin.status, admin.text]).toEqual([404, unknown.text]);
});

test('keeps the token of a link after the #, and uses it up by POST, not by GET', async () => {
  const { browser, tools } = await adminApi();
  const link = await inviteStaffMember(tools, 'asha@example.com', 'packer', 'Asha');
  expect(link).toMatch(/^http:\/\/localhost:8044\/admin\/link#[\w-]{43}$/);
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

  await owner.submit('/admin/password', '/admin/password', {
    current: ADMIN_PASSWORD,
    password: 'papayas after monsoon',
  });
  expect([await isIn(owner), await isIn(phone)]).toEqual([true, false]);

  const packer = await staff('packer');
  const path = `/admin/staff/${packer.id}`;
  await owner.submit(path, `${path}/role`, { role: 'editor' });
  expect(await isIn(packer)).toBe(false);

  pass(12 * 60 * 60_000);
  expect(await isIn(owner)).toBe(false);
  expect(JSON.stringify(await rowsOf(db, 'SELECT * FROM staff_sessions'))).not.toContain(
    owner.cookies.get('admin'),
  );
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

test('blocks the eleventh attempt after ten wrong passwords, except on a known device', async () => {
  const { browser, staff } = await adminApi();
  const owner = await staff('owner');
  const wrong = new URLSearchParams({ email: CREDENTIALS.email, password: 'wrong password' });
  for (let attempt = 0; attempt < 10; attempt += 1) {
    expect((await browser(`127.0.1.${attempt}`).post(SIGN_IN, wrong)).status).toBe(401);
  }
  const blocked = await browser().post(SIGN_IN, new URLSearchParams(CREDENTIALS));
  expect([blocked.status, blocked.headers.get('retry-after')]).toEqual([429, '900']);
  expect(mainText(blocked.text)).toContain('in 15 minutes');
  expect(blocked.text).toContain('value="owner@example.com"');
  await owner.post('/admin/sign-out', new URLSearchParams());
  expect((await owner.post(SIGN_IN, new URLSearchParams(CREDENTIALS))).status).toBe(303);
});

test('limits the cookie to the admin, and to https if it was set over https', async () => {
  const cookieFrom = async (settings: object, url: string, headers: Record<string, string> = {}) => {
    const { staff, app, tools } = await adminApi({ settings });
    if (url.startsWith(ORIGIN)) {
      await staff('owner');
    } else {
      await inviteStaffMember(tools, 'x@example.com', 'owner');
    }
    const response = await app.request(
      url,
      {
        method: 'POST',
        body: new URLSearchParams(CREDENTIALS),
        headers: { 'Sec-Fetch-Site': 'same-origin', ...headers },
      },
      { incoming: { socket: { remoteAddress: url.startsWith(ORIGIN) ? '127.0.0.1' : '10.0.0.1' } } },
    );
    return [response.status, response.headers.getSetCookie()[0] ?? ''] as const;
  };
  const [, local] = await cookieFrom({}, `${ORIGIN}${SIGN_IN}`);
  expect(local).toMatch(/^admin=[\w-]{43}; Max-Age=43200; Path=\/admin; HttpOnly; SameSite=Strict$/);
  const publicly = { apiOrigin: 'https://api.example', trustedProxies: ['10.0.0.1'] };
  const [status] = await cookieFrom(publicly, `http://api.example${SIGN_IN}`);
  expect(status).toBe(403);
  const [withProxy] = await cookieFrom(publicly, `http://api.example${SIGN_IN}`, {
    'X-Forwarded-Proto': 'https',
  });
  expect(withProxy).toBe(401);
  const [untrusted] = await cookieFrom({ apiOrigin: 'https://api.example' }, `http://api.example${SIGN_IN}`, {
    'X-Forwarded-Proto': 'https',
  });
  expect(untrusted).toBe(403);
});

const FROM_PROXIES: readonly Readonly<Record<string, string>>[] = [
  { 'X-Forwarded-For': '203.0.113.7' },
  { 'X-Forwarded-Proto': 'http' },
  { 'X-Forwarded-Host': 'localhost' },
  { Forwarded: 'for=203.0.113.7' },
  { 'X-Real-IP': '203.0.113.7' },
  { Via: '1.1 proxy' },
];

test.each([
  { what: 'another address claims to be localhost', remoteAddress: '203.0.113.7', headers: {} },
  ...FROM_PROXIES.map((headers) => ({
    what: `a proxy on this computer forwards the name with ${JSON.stringify(headers)}`,
    remoteAddress: '127.0.0.1',
    headers,
  })),
])('refuses plain http if $what', async ({ remoteAddress, headers }) => {
  const { app } = await adminApi();
  for (const host of ['localhost:8044', '127.0.0.1:8044', '[::1]:8044']) {
    const incoming = { socket: { remoteAddress } };
    const { status } = await app.request(`http://${host}${SIGN_IN}`, { headers }, { incoming });
    expect(status).toBe(403);
  }
  const incoming = { socket: { remoteAddress: '::ffff:127.0.0.1' } };
  expect((await app.request(`http://localhost:8044${SIGN_IN}`, {}, { incoming })).status).toBe(200);
});

test('stores no hash of a form with passwords that could reveal them', async () => {
  const { staff, db } = await adminApi();
  for (const email of ['one@example.com', 'other@example.com']) {
    const packer = await staff('packer', email);
    const passwords = { current: ADMIN_PASSWORD, password: 'papayas after monsoon' };
    const answer = await packer.submit('/admin/password', '/admin/password', {
      ...passwords,
      form: 'a-number-of-a-form-01',
    });
    expect(answer.location).toBe('/admin');
  }
  const rows = await allRows(db, v.object({ hash: v.string() }), 'SELECT form_hash AS hash FROM admin_forms');
  expect(new Set(rows.map(({ hash }) => hash)).size).toBe(2);
});

/** A database that commits another change just before the next transaction begins. */
async function interruptedDatabase() {
  const opened = await openEmptyDatabase();
  let meanwhile: (() => Promise<unknown>) | undefined;
  const db: Database = {
    ...opened,
    async write(work) {
      const first = meanwhile;
      meanwhile = undefined;
      await first?.();
      return opened.write(work);
    },
  };
  return {
    db,
    beforeNextWrite: (work: () => Promise<unknown>): void => {
      meanwhile = work;
    },
    count: async (table: string) => await countRows(opened, `${table}`),
    opened,
  };
}

test('starts no staff session if the password changes in the same moment', async () => {
  const { db, opened, beforeNextWrite, count } = await interruptedDatabase();
  const { staff, browser } = await adminApi({ db });
  const owner = await staff('owner');
  beforeNextWrite(() => opened.write((transaction) => setPassword(transaction, owner.id, 'another hash')));
  const answer = await browser().submit(SIGN_IN, SIGN_IN, CREDENTIALS);
  expect([answer.status, await count('staff_sessions')]).toEqual([401, 0]);
});

test('does not change a password that changes in the same moment', async () => {
  const { db, opened, beforeNextWrite, count } = await interruptedDatabase();
  const { staff } = await adminApi({ db });
  const owner = await staff('owner');
  beforeNextWrite(() => opened.write((transaction) => setPassword(transaction, owner.id, 'another hash')));
  const answer = await owner.submit('/admin/password', '/admin/password', {
    current: ADMIN_PASSWORD,
    password: 'papayas after monsoon',
  });
  expect([answer.status, await count('staff_sessions')]).toEqual([422, 0]);
});

test('starts no customer session if the password changes in the same moment', async () => {
  const { db, opened, beforeNextWrite, count } = await interruptedDatabase();
  const { ask } = await testApi({ db });
  const customer = { email: 'asha@example.com', password: PASSWORD };
  await ask('/users/register', { json: { ...customer, firstName: 'Asha', lastName: 'Rao' } });
  beforeNextWrite(() => runSql(opened, "UPDATE customers SET password_hash = 'another hash'"));
  const answer = await ask('/users/authorize', { json: customer });
  expect([answer.status, await count('sessions')]).toEqual([401, 0]);
});
