import { expect, test } from 'vitest';
import { createOwnerLink, runStaffCommand } from '#server/staff/command.ts';
import { SECOND_FACTOR_PAGES } from '#server/staff/second-factor-pages.tsx';
import { STAFF_PAGES } from '#server/staff/staff-pages.tsx';
import { ADMIN_PASSWORD, adminApi, documentOf, expectPage, filledForm } from '#tests/server/support/admin.ts';
import { emailsApi } from '#tests/server/support/emails.ts';
import { rowsOf } from '#tests/server/support/rows.ts';

type Api = Awaited<ReturnType<typeof adminApi>>;

const STAFF = '/admin/staff';
const NEW = { name: 'Bina', email: 'Bina@Example.com ', role: 'editor' };

const people = ({ db }: Api) => rowsOf(db, 'SELECT email, name, role FROM staff ORDER BY email');
const log = ({ db }: Api) =>
  rowsOf(
    db,
    `SELECT who, action, target_type AS type, target_id AS id, from_json AS "from", to_json AS "to" FROM admin_log ORDER BY number`,
  );

test('adds a staff member, who signs in by a link that is shown once', async () => {
  const api = await adminApi();
  const owner = await api.staff('owner');
  const shown = await owner.submit(`${STAFF}/new`, STAFF, NEW);
  expect(shown.status).toBe(200);
  expect(documentOf(shown.text).querySelector('nav [aria-current=page]')?.textContent).toBe('Staff');
  const texts = [...documentOf(shown.text).querySelectorAll('main p')].map(({ textContent }) => textContent);
  const link = texts.find((text) => text.startsWith('http')) ?? '';
  const bina = api.browser();
  expect((await bina.takeLink(link)).location).toBe('/admin');
  expect((await bina.get('/admin')).text).toContain('Bina, Editor');
  const stored = await rowsOf(api.db, 'SELECT * FROM admin_forms');
  expect(JSON.stringify([stored, await log(api)])).not.toContain(new URL(link).hash.slice(1, 44));
  expect(await log(api)).toContainEqual({
    who: 'owner@example.com',
    action: 'added',
    type: 'staff',
    id: 'bina@example.com',
    from: null,
    to: '{"name":"Bina","role":"editor"}',
  });
});

test('shows an error beside an email that is taken, and keeps what was typed', async () => {
  const api = await adminApi();
  const owner = await api.staff('owner');
  const taken = await owner.submit(`${STAFF}/new`, STAFF, { ...NEW, email: owner.email });
  const page = documentOf(taken.text);
  expect(taken.status).toBe(422);
  expect(page.querySelector('#field-email-error')?.textContent).toBe('Another staff member has this email');
  expect(page.querySelector('#field-name')?.getAttribute('value')).toBe('Bina');
  expect(await people(api)).toHaveLength(1);
});

test('makes the change of a form once when it is sent twice, also at the same time', async () => {
  const api = await adminApi();
  const owner = await api.staff('owner');
  const { text } = await owner.get(`${STAFF}/new`);
  const sent = filledForm(text, STAFF, NEW);
  const answers = await Promise.all([1, 2, 3].map(() => owner.post(STAFF, new URLSearchParams(sent))));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 303, 303]);
  const later = await owner.post(STAFF, new URLSearchParams(sent));
  expect(later.location).toMatch(/^\/admin\/staff\/[\w-]{36}$/);
  expect(new Set(answers.map(({ location }) => location).filter(Boolean))).toEqual(new Set([later.location]));
  expect((await people(api)).filter(({ name }) => name === 'Bina')).toHaveLength(1);
  expect((await log(api)).filter(({ id }) => id === 'bina@example.com')).toHaveLength(1);
});

test('asks for the password before any form that changes how staff sign in', async () => {
  const api = await adminApi();
  const owner = await api.staff('owner');
  const rows = await log(api);
  for (const { path } of [...STAFF_PAGES, ...SECOND_FACTOR_PAGES].filter(({ method }) => method === 'POST')) {
    const address = `/admin${path.replace(':id', owner.id)}`;
    const send = (typed: object) =>
      owner.postOnce(address, new URLSearchParams({ form: `a-form-of-${path}-and-more`, ...typed }), {});
    expectPage(await send({}), 200, 'Your password');
    expectPage(await send({ current: 'not this one' }), 422, 'This is not your password');
  }
  expect(await log(api)).toEqual(rows);
});

test('emails the staff member and the owners when a sign-in was changed', async () => {
  const api = await emailsApi();
  const [owner, packer] = [await api.staff('owner'), await api.staff('packer')];
  const path = `${STAFF}/${packer.id}`;
  await owner.submit(path, `${path}/link`);
  const current = { current: ADMIN_PASSWORD, password: 'mangoes after monsoon' };
  await packer.submit('/admin/password', '/admin/password', current);
  await api.sendDue();
  const texts = [`${owner.email} made a link: ${packer.email}.`, `${packer.email} changed the password`];
  for (const { email } of [owner, packer])
    for (const text of texts)
      expect(api.sentTo(email).filter((sent) => sent.text?.includes(text))).toHaveLength(1);
});

test('keeps the last owner, also when two are removed at once', async () => {
  const api = await adminApi();
  const owner = await api.staff('owner');
  const path = `${STAFF}/${owner.id}`;
  expect((await owner.submit(path, `${path}/remove`)).status).toBe(409);
  expect((await owner.submit(path, `${path}/role`, { role: 'packer' })).status).toBe(409);

  const second = await api.staff('owner', 'second@example.com');
  const others = `${STAFF}/${second.id}`;
  const [remove, role] = [await owner.get(others), await second.get(path)];
  await Promise.all([
    owner.post(`${others}/remove`, filledForm(remove.text, `${others}/remove`, {})),
    second.post(`${path}/role`, filledForm(role.text, `${path}/role`, { role: 'packer' })),
  ]);
  expect((await people(api)).filter(({ role }) => role === 'owner')).toHaveLength(1);
});

test('signs out a removed staff member, who stays in the log', async () => {
  const api = await adminApi();
  const owner = await api.staff('owner');
  const packer = await api.staff('packer');
  const path = `${STAFF}/${packer.id}`;
  expect((await owner.submit(path, `${path}/remove`)).location).toBe(STAFF);
  expect((await packer.get('/admin')).status).toBe(303);
  expect((await owner.get('/admin/log')).text).toContain('staff packer@example.com');
  expect((await owner.get(path)).status).toBe(404);
});

test('adds and lists staff by command, and explains refusals', async () => {
  const { tools } = await adminApi();
  const run = (...args: string[]) => runStaffCommand(tools, args);
  expect(await run('list')).toBe('There are no staff members yet.');
  expect(await run('add', 'asha@example.com', '--role', 'owner', '--name', 'Asha')).toMatch(
    /once, within 15 minutes:\nhttp:\/\/localhost:8044\/admin\/link#[\w-]{43}&email=[\w.%-]+$/,
  );
  await run('add', 'bina@example.com', '--role', 'packer');
  expect(await run('list')).toBe(
    'asha@example.com  owner  Asha  (no password yet)\nbina@example.com  packer  bina  (no password yet)',
  );
  await expect(run('add', 'asha@example.com', '--role', 'owner')).rejects.toThrow('already');
  await expect(run('add', 'no-address', '--role', 'owner')).rejects.toThrow('not an email address');
  await expect(run('add', 'x@example.com', '--role', 'boss')).rejects.toThrow(
    'A role is owner, editor, packer',
  );
  await expect(run('link', 'nobody@example.com')).rejects.toThrow('No staff member');
  await expect(run('add', 'x@example.com', '--rule', 'owner')).rejects.toThrow('npm run staff -- list');
  await expect(run()).rejects.toThrow('npm run staff -- list');
});

test('adds a demo owner without any staff, and makes links until an owner has a password', async () => {
  const { tools, browser } = await adminApi();
  const first = (await createOwnerLink(tools)) ?? '';
  const second = (await createOwnerLink(tools)) ?? '';
  expect((await browser().takeLink(first)).status).toBe(404);
  await browser().takeLink(second);
  expect(await createOwnerLink(tools)).toBeUndefined();
});
