import { expect, test, vi } from 'vitest';
import { runStaffCommand } from '#server/staff/command.ts';
import { adminApi, documentOf, expectPage, ORIGIN, tableRows } from '#tests/server/support/admin.ts';
import { countRows, runSql } from '#tests/server/support/rows.ts';

test('sends a content security policy that allows nothing of other sites', async () => {
  const { headers } = await (await adminApi()).browser().get('/admin/sign-in');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data: blob: https: http://localhost:8044; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  );
});

test('shows unknown addresses, unknown methods and unexpected errors as pages of the admin', async () => {
  const { staff, lines, db } = await adminApi();
  const owner = await staff('owner');
  for (const [method, path] of [
    ['GET', '/admin/nothing'],
    ['PUT', '/admin/staff'],
    ['GET', '/admin/staff/unknown'],
  ] as const) {
    const { status, headers, text } = await owner.request(path, { method, headers: { Origin: ORIGIN } });
    const page = [404, 'text/html; charset=UTF-8', expect.stringContaining('Page not found · Admin')];
    expect([status, headers.get('content-type'), text]).toEqual(page);
  }
  vi.spyOn(db, 'rows').mockRejectedValue(new TypeError('a bug in orders'));
  const broken = await owner.get('/admin');
  expectPage(broken, 500, 'Something went wrong');
  expect(broken.text).not.toContain('a bug');
  expect(lines.some(({ event }) => event === 'unexpected error')).toBe(true);
});

test('refuses a form of more than 64 KiB, without an end, or with a zero byte', async () => {
  const { staff } = await adminApi();
  const owner = await staff('owner');
  const huge = new URLSearchParams({ name: 'x'.repeat(65_536) });
  expect((await owner.post('/admin/staff', huge)).status).toBe(413);
  const broken = await owner.request('/admin/staff', {
    body: '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb',
    headers: { 'Content-Type': 'multipart/form-data; boundary=x', Origin: ORIGIN },
  });
  expect(broken.status).toBe(400);
  const zero = { contact: 'a\0b@example.com' };
  expect((await owner.submit('/admin/customers', '/admin/customers/search', zero)).status).toBe(422);
  for (const path of ['log?who=%00', 'orders/%00', 'catalogue/products/%00', 'staff/%00'])
    expect([path, (await owner.get(`/admin/${path}`)).status]).toEqual([path, expect.toBeOneOf([404, 422])]);
});

test('serves the style sheet at an address with its hash, for browsers to cache', async () => {
  const { browser } = await adminApi();
  const path = documentOf((await browser().get('/admin/sign-in')).text)
    .querySelector('[rel=stylesheet]')
    ?.getAttribute('href');
  const answer = await browser().get(path ?? '');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
  expect(answer.headers.get('cache-control')).toContain('immutable');
  expect((await browser().get('/admin/assets/admin.css')).status).toBe(404);
});

const logRows = (html: string) => tableRows(html).map(([, ...cells]) => cells);

test('shows in the log who did what, newest first, filtered by author or target', async () => {
  const { staff, tools } = await adminApi();
  const owner = await staff('owner');
  await runStaffCommand(tools, ['add', 'bina@example.com', '--role', 'packer']);
  await runStaffCommand(tools, ['link', 'bina@example.com']);
  const all = logRows((await owner.get('/admin/log')).text);
  expect(all).toHaveLength(4);
  expect(all[0]).toEqual(['npm run staff', 'made a link', 'staff bina@example.com', '', '']);
  expect(logRows((await owner.get('/admin/log?who=owner%40example.com')).text)).toEqual([
    ['owner@example.com', 'chose a password', 'staff owner@example.com', '', ''],
  ]);
  expect(logRows((await owner.get('/admin/log?type=staff&id=bina%40example.com')).text)).toHaveLength(2);
});

test('divides a long log into pages', async () => {
  const { staff, tools } = await adminApi();
  const owner = await staff('owner');
  for (let count = 0; count < 25; count += 1) await runStaffCommand(tools, ['link', owner.email]);
  const first = await owner.get('/admin/log');
  expect(logRows(first.text)).toHaveLength(20);
  expect(first.text).toContain('Page 1 of 2');
  const second = await owner.get('/admin/log?page=2');
  expect(logRows(second.text)).toHaveLength(7);
  expect((await owner.get('/admin/log?page=99999999')).text).toContain('Page 1 of 2');
});

test.each([
  ['UPDATE', "UPDATE admin_log SET who = 'nobody'"],
  ['DELETE', 'DELETE FROM admin_log'],
  // Each database supports only one of these two.
  ['TRUNCATE', 'TRUNCATE admin_log'],
  [
    'REPLACE',
    "REPLACE INTO admin_log SELECT number, 0, staff_id, 'nobody', action, target_type, target_id, NULL, NULL FROM admin_log",
  ],
])('the database refuses %s on a row of the log', async (_, sql) => {
  const { db, staff } = await adminApi();
  await staff('owner');
  const count = () => countRows(db, "admin_log WHERE who <> 'nobody'");
  const before = await count();
  await expect(runSql(db, sql)).rejects.toThrow();
  expect(await count()).toBe(before);
  expect(before).toBeGreaterThan(0);
});
