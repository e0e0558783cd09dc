import { readFile } from 'node:fs/promises';
import { expect, it, test } from 'vitest';
import { FORM_KEY } from '#server/admin/change.ts';
import { ADMIN } from '#server/admin/paths.ts';
import { AREAS, mayOpen, ROLE_NAMES, ROLES } from '#server/admin/roles.ts';
import { ADMIN_PAGES, SECTIONS } from '#server/app/admin-pages.tsx';
import { adminApi, documentOf, filledForm } from '#tests/server/support/admin.ts';
import { ORDERS, packing } from '#tests/server/support/admin-orders.ts';
import { MANGO, SITE } from '#tests/server/support/api.ts';
import { rowsOf } from '#tests/server/support/rows.ts';

/* What every page of the admin must do. */

type Browser = Pick<Awaited<ReturnType<Awaited<ReturnType<typeof adminApi>>['staff']>>, 'get' | 'post'>;

const FOR_STAFF = ADMIN_PAGES.filter(({ access }) => access !== 'anyone');

const open = ({ get, post }: Browser, { method, path }: (typeof ADMIN_PAGES)[number], headers = {}) => {
  const address = `${ADMIN}${path.replaceAll(/:\w+/g, 'none')}`;
  return method === 'GET' ? get(address, headers) : post(address, new URLSearchParams(), headers);
};

/** Previews of emails have no forms, and all products have the same: the walk opens one product and no preview. */
const ALIKE = new RegExp(`/emails/|/products/(?!${MANGO})`);

/** Opens every page that links lead to from the first, one after the other. */
async function* walk({ get }: Pick<Browser, 'get'>) {
  // The set grows while it is read.
  const links = new Set([ADMIN]);
  for (const page of links) {
    const { status, text } = await get(page);
    for (const [, link = ''] of text.matchAll(/<a [^>]*href="(\/admin[^"?#]*)/g))
      if (!ALIKE.test(link)) links.add(link);
    yield { page, status, text };
  }
}

it.each(ROLE_NAMES)('%s can open the pages of their role, and no others', async (role) => {
  const { staff } = await adminApi();
  const member = await staff(role);
  for (const page of FOR_STAFF) {
    const { status } = await open(member, page);
    expect(status === 403, `${page.method} ${page.path}`).toBe(!mayOpen(page, role));
  }
  const { text } = await member.get(ADMIN);
  for (const { path } of SECTIONS) {
    const page = ADMIN_PAGES.find((one) => one.method === 'GET' && one.path === path);
    expect(text.includes(` href="${ADMIN}${path}"`), path).toBe(page && mayOpen(page, role));
  }
});

it.each(ROLE_NAMES)('%s sees no link and no form that their role may not open', async (role) => {
  const { staff, place, pay } = await packing();
  await pay(await place());
  await pay(await place(), { amount: '1.00' });
  const member = await staff(role, 'member@example.com');
  const forms = new Set<string>();
  for await (const { page, status, text } of walk(member)) {
    expect(status, page).not.toBe(403);
    for (const form of documentOf(text).querySelectorAll('form[method=post], button[formaction]'))
      forms.add(form.getAttribute('action') ?? form.getAttribute('formaction') ?? '');
  }
  forms.delete(`${ADMIN}/sign-out`);
  for (const action of forms)
    expect((await member.post(action, new URLSearchParams())).status, action).not.toBe(403);
});

test('redirects visitors from every page to the sign-in page, without any content', async () => {
  const { browser, customer } = await adminApi();
  for (const page of FOR_STAFF) {
    const { status, text } = await open(browser(), page);
    expect([status, text], `${page.method} ${page.path}`).toEqual([303, '']);
  }
  const { token } = await customer();
  for (const headers of [{ Authorization: `Bearer ${token}` }, { Cookie: `admin=${token}` }]) {
    const { status, location, text } = await browser().get(`${ADMIN}/nothing`, headers);
    expect([status, location, text]).toEqual([303, `${ADMIN}/sign-in?to=%2Fadmin%2Fnothing`, '']);
  }
});

test('refuses forms of other sites, and sends every page without CORS and with the headers of the admin', async () => {
  const { staff } = await adminApi();
  const owner = await staff('owner');
  expect((await owner.request(`${ADMIN}/staff`, { json: {} })).status).toBe(415);
  for (const page of ADMIN_PAGES) {
    if (page.path.startsWith('/assets/')) continue;
    const { headers } = await open(owner, page, page.method === 'GET' ? { Origin: SITE } : {});
    const found = [...headers.keys()].filter((name) => name.startsWith('access-control'));
    expect([found, headers.get('cache-control'), headers.get('referrer-policy')], page.path).toEqual([
      [],
      expect.stringMatching(/no-store|private/),
      'same-origin',
    ]);
    if (page.method === 'GET') continue;
    for (const from of ['https://evil.example', SITE, 'null']) {
      const site = { Origin: from, 'Sec-Fetch-Site': 'cross-site' };
      const { status, text } = await open(owner, page, site);
      expect([status, text], page.path).toEqual([403, expect.stringContaining('Nothing was done')]);
    }
  }
});

/** Values of required fields. */
const NEEDED = { role: 'editor', amount: '1', reason: 'Bad', note: 'Done', tracking: 'AB1' };

test('refuses every form without its key or with an old version, and changes nothing', async () => {
  const { db, owner, place, pay, ask, token } = await packing({ siteOrigins: ['http://127.0.0.1:1'] });
  const [arrived, flagged] = [await place(), await place(), await place()];
  await pay(flagged, { amount: '1.00' });
  await pay(arrived);
  for (const move of ['ship', 'deliver'])
    await owner.submit(`${ORDERS}/${arrived}`, `${ORDERS}/${arrived}/${move}`);
  const lines = [{ line: '0', quantity: 1 }];
  await ask(`/orders/${arrived}/returns`, { token, json: { reason: 'It was not ripe.', lines } });
  const changes = () =>
    rowsOf(db, 'SELECT count(*) AS count FROM admin_log UNION ALL SELECT count(*) FROM admin_forms');
  const before = await changes();

  const forms = new Set<string>();
  let compared = 0;
  for await (const { text } of walk(owner)) {
    for (const form of documentOf(text).querySelectorAll('form[method=post]')) {
      const action = form.getAttribute('action') ?? '';
      // Downloads are logged each time, so they have no key.
      if (forms.has(action) || /\/(?:data|export)$/.test(action)) continue;
      forms.add(action);
      const sent = filledForm(text, action);
      if (!sent.has(FORM_KEY)) continue;
      const button = form.querySelector('button');
      if (button?.name) sent.append(button.getAttribute('name') ?? '', button.getAttribute('value') ?? '');
      const keyless = new URLSearchParams(sent);
      keyless.delete(FORM_KEY);
      await owner.postOnce(action, keyless, {});
      expect(await changes(), `${action} without a key`).toEqual(before);
      if (!sent.has('version')) continue;
      for (const [name, value] of Object.entries(NEEDED)) if (sent.has(name)) sent.set(name, value);
      const version = new URLSearchParams(sent.get('version') ?? '');
      for (const name of [...version.keys()]) version.set(name, 'another one');
      sent.set('version', version.toString());
      const { status } = await owner.post(action, sent);
      expect([status >= 400, await changes()], `${action} with an old version`).toEqual([true, before]);
      compared += Number(status === 409);
    }
  }
  expect([forms.size > 30, compared > 15]).toEqual([true, true]);
});

test('has a page for each area, and the table of roles in EDITORS.md', async () => {
  const used = new Set(ADMIN_PAGES.map(({ access }) => access.replace(/\..*/, '')));
  expect(Object.keys(AREAS).filter((area) => !used.has(area))).toEqual([]);
  const roles = Object.values(ROLES);
  const rows = Object.entries(AREAS).map(([area, what]) => {
    const marks = roles.map(({ may }) => {
      if (may === 'everything' || may.some((one) => one === area)) return ' yes |';
      return may.some((one) => one === `${area}.read`) ? ' sees |' : ' |';
    });
    return `| ${what} |${marks.join('')}`;
  });
  const table = [
    `| | ${roles.map(({ label }) => label).join(' | ')} |`,
    `| --- |${' --- |'.repeat(roles.length)}`,
    ...rows,
  ];
  expect(await readFile('src/server/admin/EDITORS.md', 'utf8')).toContain(table.join('\n'));
});
