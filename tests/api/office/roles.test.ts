import { readFile } from 'node:fs/promises';
import { expect, it, test } from 'vitest';
import { OFFICE_PAGES, SECTIONS } from '#scripts/api/app/office-pages.ts';
import { readChanges } from '#scripts/api/office/change-log.ts';
import { AREAS, mayOpen, ROLE_NAMES, ROLES } from '#scripts/api/office/roles.ts';
import { officeApi } from '#tests/api/support/office.ts';

const pathOf = (path: string): string => `/office${path.replaceAll(/:\w+/g, 'none')}`;

it.each(ROLE_NAMES)('[fault 101] %s opens what the table of roles allows, and nothing else', async (role) => {
  const { staff } = await officeApi();
  const person = await staff(role);
  for (const { method, path, access } of OFFICE_PAGES) {
    if (access === 'anyone') continue;
    const answer =
      method === 'GET'
        ? await person.get(pathOf(path))
        : await person.post(pathOf(path), new URLSearchParams());
    expect(answer.status === 403, `${method} ${path}`).toBe(!mayOpen(access, role));
  }
  const { text } = await person.get('/office');
  const links = SECTIONS.map(({ path, access }) => [
    text.includes(`<a href="/office${path}"`),
    mayOpen(access, role),
  ]);
  for (const [isShown, may] of links) expect(isShown).toBe(may);
});

test('[fault 101] a visitor is sent to sign in from every page, and reads nothing of it', async () => {
  const { browser, customer } = await officeApi();
  const stranger = browser();
  for (const { method, path, access } of OFFICE_PAGES) {
    if (access === 'anyone') continue;
    const { status, text } =
      method === 'GET'
        ? await stranger.get(pathOf(path))
        : await stranger.post(pathOf(path), new URLSearchParams());
    expect([status, text], `${method} ${path}`).toEqual([303, '']);
  }
  const { token } = await customer();
  for (const headers of [{ Authorization: `Bearer ${token}` }, { Cookie: `office=${token}` }]) {
    const { status, location, text } = await stranger.get('/office/nothing', headers);
    expect([status, location, text]).toEqual([303, '/office/sign-in?to=%2Foffice%2Fnothing', '']);
  }
});

test('each area has a page, so that the table names nothing that there is not', () => {
  const used = new Set<string>(OFFICE_PAGES.map(({ access }) => access));
  expect(Object.keys(AREAS).filter((area) => !used.has(area))).toEqual([]);
});

test('EDITORS.md has the table of roles', async () => {
  const roles = Object.values(ROLES);
  const rows = Object.entries(AREAS).map(([area, what]) =>
    [
      '',
      what,
      ...roles.map(({ may }) => (may === 'everything' || may.some((one) => one === area) ? 'yes' : '')),
      '',
    ]
      .map((cell, at, { length }) => (at === 0 || at === length - 1 ? cell : ` ${cell} `.replace('  ', ' ')))
      .join('|'),
  );
  const table = [
    `| | ${roles.map(({ label }) => label).join(' | ')} |`,
    '| --- | --- | --- | --- |',
    ...rows,
  ];
  expect(await readFile('scripts/api/office/EDITORS.md', 'utf8')).toContain(table.join('\n'));
});

test('[fault 124] packers cannot download customers, and each download stands in the log with its filter and count', async () => {
  const { staff, customer, order, db } = await officeApi();
  const { token } = await customer();
  await order(token);
  const packer = await staff('packer');
  expect((await packer.get('/office/orders')).text).not.toContain('/office/orders/export');
  expect((await packer.get('/office/orders/export')).status).toBe(403);
  expect((await packer.post('/office/orders/export', new URLSearchParams())).status).toBe(403);
  const owner = await staff('owner');
  expect((await owner.get('/office/orders')).text).toContain('/office/orders/export');
  await owner.submit('/office/orders/export', '/office/orders/export', { status: '0', from: '2026-01-01' });
  const lines = await readChanges(db, { who: owner.email, type: 'orders', id: '' }, 10, 0);
  expect(lines.map(({ action, to }) => [action, to])).toEqual([
    ['downloaded', { status: 'Pending', from: '2026-01-01', to: 'the last', orders: 1 }],
  ]);
});
