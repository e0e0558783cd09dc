import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { readChanges } from '#server/admin/change-log.ts';
import { MINUTE, SECOND } from '#server/process/clock.ts';
import { runStaffCommand } from '#server/staff/command.ts';
import { ADMIN_PASSWORD, adminApi, documentOf, expectPage, mainText } from '#tests/server/support/admin.ts';
import { standStill } from '#tests/server/support/api.ts';
import { rowsOf, runSql } from '#tests/server/support/rows.ts';

const SIGN_IN = '/admin/sign-in';
const CODE = '/admin/sign-in/code';
const PAGE = '/admin/second-factor';

type Api = Awaited<ReturnType<typeof adminApi>>;
type StaffBrowser = Awaited<ReturnType<Api['staff']>>;

/** The code of an authenticator app. @param aside the error of its clock, in ms */
const codeOf = (secret: string, now: number, aside = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now + aside });

async function switchOn(api: Pick<Api, 'now'>, member: StaffBrowser) {
  const { text } = await member.get(PAGE);
  const secret = /name="secret" value="([A-Z2-7]{32})"/.exec(text)?.[1] ?? '';
  const answer = await member.submit(PAGE, PAGE, { secret, code: codeOf(secret, api.now()) });
  const recovery = documentOf(answer.text).querySelector('.select-all')?.textContent?.split('\n') ?? [];
  return { secret, recovery, answer };
}

/** Types the password. Returns the page for the code. */
async function typePassword(api: Api, email: string, from?: string) {
  const browser = api.browser(from);
  const page = await browser.submit(SIGN_IN, SIGN_IN, { email, password: ADMIN_PASSWORD });
  const typeCode = async (code: string, text = page.text) => {
    const step = /name="step" value="([^"]+)"/.exec(text)?.[1] ?? '';
    return browser.post(CODE, new URLSearchParams({ step, to: '/admin', code }));
  };
  return { browser, page, typeCode };
}

async function ownerWithFactor() {
  const api = await adminApi();
  const owner = await api.staff('owner');
  const set = await switchOn(api, owner);
  // The code that switched it on counts as used.
  api.pass(MINUTE + 30 * SECOND);
  return { api, owner, ...set };
}

test('asks for the code at sign-in once a QR code was scanned and confirmed', async () => {
  const { api, owner, secret, recovery, answer } = await ownerWithFactor();
  expect(answer.status).toBe(200);
  expect(new Set(recovery).size).toBe(10);
  const stored = JSON.stringify(await rowsOf(api.db, 'SELECT * FROM staff_recovery_codes'));
  for (const code of recovery) expect(stored).not.toContain(code);

  const { page, typeCode, browser } = await typePassword(api, owner.email);
  expectPage(page, 200, 'Type your code');
  expect((await browser.get('/admin')).status).toBe(303);
  const done = await typeCode(codeOf(secret, api.now()));
  expect([done.status, done.location]).toEqual([303, '/admin']);
  expect((await browser.get('/admin')).status).toBe(200);
});

test('shows the key as QR code and link, and changes nothing for a wrong code', async () => {
  const api = await adminApi();
  const owner = await api.staff('owner');
  const page = documentOf((await owner.get(PAGE)).text);
  const secret = page.querySelector('input[name=secret]')?.getAttribute('value') ?? '';
  expect(page.querySelector('svg')?.querySelectorAll('path').length).toBeGreaterThan(1);
  expect(page.querySelector('svg[style], svg [style]')).toBeNull();
  expect(page.querySelector('ol a')?.getAttribute('href')).toContain(`secret=${secret}`);
  for (const code of ['000000', '', 'nonsense', '𐀀𐀀𐀀']) {
    const answer = await owner.submit(PAGE, PAGE, { secret, code });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain(`value="${secret}"`);
  }
  expect(await rowsOf(api.db, 'SELECT * FROM staff_second_factors')).toEqual([]);
});

test('accepts a code once, also from two browsers at once', async () => {
  const { api, owner, secret } = await ownerWithFactor();
  const two = [await typePassword(api, owner.email), await typePassword(api, owner.email)];
  const code = codeOf(secret, api.now());
  const answers = await Promise.all(two.map(({ typeCode }) => typeCode(code)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 401]);
  const third = await typePassword(api, owner.email);
  expect((await third.typeCode(code)).status).toBe(401);
});

const OFF = [-120, -60, -30, 30, 60, 120].map((off) => [off, Math.abs(off) > 60 ? 401 : 303] as const);

test.each(OFF)(
  'answers a code of a phone whose clock is %d s off with status %d',
  async (seconds, status) => {
    const { api, owner, secret } = await ownerWithFactor();
    api.pass(10 * MINUTE);
    const { typeCode } = await typePassword(api, owner.email);
    expect((await typeCode(codeOf(secret, api.now(), seconds * SECOND))).status).toBe(status);
  },
);

test('accepts codes again after the clock was years ahead', async () => {
  const { api, owner, secret } = await ownerWithFactor();
  await runSql(api.db, 'UPDATE staff_second_factors SET last_period = last_period + 10000000');
  const { typeCode } = await typePassword(api, owner.email);
  expect((await typeCode(codeOf(secret, api.now()))).status).toBe(303);
});

test('allows five wrong codes in 15 minutes, and says how long to wait', async () => {
  const { pass } = standStill();
  const api = await adminApi({ clock: () => Date.now() });
  const owner = await api.staff('owner');
  const { secret } = await switchOn({ now: () => Date.now() }, owner);
  pass(2 * MINUTE);
  for (let guess = 0; guess < 5; guess += 1) {
    const { typeCode } = await typePassword(api, owner.email);
    expect((await typeCode('000000')).status).toBe(401);
  }
  const { typeCode } = await typePassword(api, owner.email);
  const blocked = await typeCode(codeOf(secret, Date.now()));
  expectPage(blocked, 429, 'in 15 minutes');
  pass(15 * MINUTE);
  const later = await typePassword(api, owner.email);
  expect((await later.typeCode(codeOf(secret, Date.now()))).status).toBe(303);
});

test('accepts a recovery code once, in any spelling, and logs it', async () => {
  const { api, owner, recovery } = await ownerWithFactor();
  const typed = ` ${recovery[0]?.toLowerCase().replaceAll('-', ' ')} `;
  const first = await typePassword(api, owner.email);
  expect((await first.typeCode(typed)).status).toBe(303);
  const second = await typePassword(api, owner.email);
  expect((await second.typeCode(typed)).status).toBe(401);
  expect(mainText((await first.browser.get(PAGE)).text)).toContain('9 of your recovery codes are left');
  const log = await readChanges(api.db, { who: owner.email, type: 'staff', id: owner.email }, 10, 0);
  expect(log.map(({ action }) => action)).toContain('used a recovery code');
});

test('lets another owner switch off a lost factor, never its own owner, and logs it', async () => {
  const { api, owner } = await ownerWithFactor();
  const other = await api.staff('owner', 'other@example.com');
  const path = `/admin/staff/${owner.id}`;
  expect((await owner.get(path)).text).not.toContain(`${path}/second-factor`);
  expect((await owner.post(`${path}/second-factor`, new URLSearchParams())).status).toBe(409);
  await other.submit(path, `${path}/second-factor`);
  expect((await owner.get('/admin')).status).toBe(303);
  const { page } = await typePassword(api, owner.email);
  expect(page.status).toBe(303);
  const log = await readChanges(api.db, { who: 'other@example.com', type: 'staff', id: owner.email }, 10, 0);
  expect(log.map(({ action }) => action)).toEqual(['switched off the second factor']);
});

test('lets in the last owner by a command', async () => {
  const { api, owner } = await ownerWithFactor();
  expect(await runStaffCommand(api.tools, ['without-code', owner.email])).toContain('password alone');
  expect(await runStaffCommand(api.tools, ['without-code', owner.email])).toContain('no second factor');
  expect((await typePassword(api, owner.email)).page.status).toBe(303);
});

test('makes staff members set it up before anything else if it is required', async () => {
  const api = await adminApi();
  const owner = await api.staff('owner');
  const editor = await api.staff('editor');
  await owner.submit('/admin/staff', '/admin/staff/second-factor', { required: 'yes' });
  for (const path of ['/admin', '/admin/catalogue', '/admin/nothing']) {
    const answer = await editor.get(path);
    expect([answer.status, answer.location], path).toEqual([303, PAGE]);
  }
  expect((await editor.post('/admin/catalogue/new', new URLSearchParams())).location).toBe(PAGE);
  await switchOn(api, editor);
  expect((await editor.get('/admin/catalogue')).status).toBe(200);
});

test('needs a code to be switched off or replaced', async () => {
  const { api, owner, secret } = await ownerWithFactor();
  const other = new Secret({ size: 20 }).base32;
  const form = { form: 'a-number-of-a-form-01', secret: other, code: codeOf(other, api.now()) };
  await owner.post(PAGE, new URLSearchParams(form));
  expect(await rowsOf(api.db, 'SELECT secret FROM staff_second_factors')).toEqual([{ secret }]);
  expect((await owner.submit(PAGE, `${PAGE}/off`, { code: '000000' })).status).toBe(422);
  const off = await owner.submit(PAGE, `${PAGE}/off`, { code: codeOf(secret, api.now()) });
  expect([off.status, off.location]).toEqual([303, PAGE]);
  expect((await typePassword(api, owner.email)).page.status).toBe(303);
});

test('is still required after a new link or password, which end a started sign-in', async () => {
  const { api, owner, secret } = await ownerWithFactor();
  const begun = await typePassword(api, owner.email);
  const link = (await runStaffCommand(api.tools, ['link', owner.email])).split('\n').at(-1) ?? '';
  const browser = api.browser();
  const used = await browser.takeLink(link);
  expect([used.status, used.location]).toEqual([303, SIGN_IN]);
  expect((await browser.get('/admin')).status).toBe(303);
  const late = await begun.typeCode(codeOf(secret, api.now()));
  expect([late.status, late.location]).toEqual([303, SIGN_IN]);
});

test('waits ten minutes for the code', async () => {
  const { api, owner, secret } = await ownerWithFactor();
  const { typeCode } = await typePassword(api, owner.email);
  api.pass(10 * MINUTE);
  expect((await typeCode(codeOf(secret, api.now()))).location).toBe(SIGN_IN);
});
