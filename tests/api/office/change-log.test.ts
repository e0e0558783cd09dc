import { expect, test } from 'vitest';
import { runStaffCommand } from '#scripts/api/staff/command.ts';
import { documentOf, officeApi } from '#tests/api/support/office.ts';
import { countRow } from '#tests/api/support/rows.ts';

const rows = (html: string) =>
  [...documentOf(html).querySelectorAll('tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].slice(1).map((cell) => cell.textContent),
  );

test('the log shows who did what, newest first, by person and by target', async () => {
  const { staff, tools } = await officeApi();
  const owner = await staff('owner');
  await runStaffCommand(tools, ['add', 'bina@example.com', '--role', 'packer']);
  await runStaffCommand(tools, ['link', 'bina@example.com']);
  const all = rows((await owner.get('/office/log')).text);
  expect(all).toHaveLength(4);
  expect(all[0]).toEqual(['npm run staff', 'made a link', 'staff bina@example.com', '', '']);
  expect(rows((await owner.get('/office/log?who=owner%40example.com')).text)).toEqual([
    ['owner@example.com', 'chose a password', 'staff owner@example.com', '', ''],
  ]);
  expect(rows((await owner.get('/office/log?type=staff&id=bina%40example.com')).text)).toHaveLength(2);
});

test('a long log has pages', async () => {
  const { staff, tools } = await officeApi();
  const owner = await staff('owner');
  for (let count = 0; count < 25; count += 1) await runStaffCommand(tools, ['link', owner.email]);
  const first = await owner.get('/office/log');
  expect(rows(first.text)).toHaveLength(25);
  expect(first.text).toContain('Page 1 of 2');
  const second = await owner.get('/office/log?page=2');
  expect(rows(second.text)).toHaveLength(2);
  expect((await owner.get('/office/log?page=99999999')).text).toContain('Page 1 of 2');
});

test.each([
  ['UPDATE', "UPDATE office_log SET who = 'nobody'"],
  ['DELETE', 'DELETE FROM office_log'],
  // Each database knows one of these alone, and the other does not understand it.
  ['TRUNCATE', 'TRUNCATE office_log'],
  [
    'REPLACE',
    "REPLACE INTO office_log SELECT number, 0, staff_id, 'nobody', action, target_type, target_id, NULL, NULL FROM office_log",
  ],
])('the database itself refuses %s of a line', async (_, sql) => {
  const { db, staff } = await officeApi();
  await staff('owner');
  const count = () => db.get(countRow, "SELECT COUNT(*) AS count FROM office_log WHERE who <> 'nobody'");
  const before = await count();
  await expect(db.write((transaction) => transaction.run(sql))).rejects.toThrow();
  expect(await count()).toEqual(before);
  expect(before?.count).toBeGreaterThan(0);
});
