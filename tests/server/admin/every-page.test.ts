import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import * as v from 'valibot';
import { expect, it, test } from 'vitest';
import { SHIPPING_FIELDS } from '#domain/shipping-address.ts';
import { FORM_KEY } from '#server/admin/change.ts';
import { ADMIN } from '#server/admin/paths.ts';
import { AREAS, mayOpen, ROLE_NAMES, ROLES } from '#server/admin/roles.ts';
import { ADMIN_PAGES, SECTIONS } from '#server/app/admin-pages.tsx';
import { ProductSchema } from '#server/catalogue/schema.ts';
import { replaceProduct, storedProducts } from '#server/catalogue/stored-products.ts';
import { setMeta } from '#server/db/meta.ts';
import { AddressSchema } from '#server/orders/schema.ts';
import { readPage } from '#tests/fuzz/admin-forms.ts';
import { bodyOf, openAdmin } from '#tests/fuzz/find-forms.ts';
import { adminApi, readCsv } from '#tests/server/support/admin.ts';
import { ORDERS, packing } from '#tests/server/support/admin-orders.ts';
import { ADDRESS, MANGO, SITE } from '#tests/server/support/api.ts';
import { anyRow } from '#tests/server/support/rows.ts';
import { ATTACKS } from '#tests/support/attacks.ts';

/* What every page of the admin must do. */

type Browser = Pick<Awaited<ReturnType<Awaited<ReturnType<typeof adminApi>>['staff']>>, 'get' | 'post'>;

const FOR_STAFF = ADMIN_PAGES.filter(({ access }) => access !== 'anyone');

const open = ({ get, post }: Browser, { method, path }: (typeof ADMIN_PAGES)[number], headers = {}) => {
  const address = `${ADMIN}${path.replaceAll(/:\w+/g, 'none')}`;
  return method === 'GET' ? get(address, headers) : post(address, new URLSearchParams(), headers);
};

it.each(ROLE_NAMES)('%s can open the pages of their role, and no others', async (role) => {
  const { staff } = await adminApi();
  const member = await staff(role);
  for (const page of FOR_STAFF) {
    const { status } = await open(member, page);
    expect(status === 403, `${page.method} ${page.path}`).toBe(!mayOpen(page.access, role));
  }
  const { text } = await member.get(ADMIN);
  for (const { path, access } of SECTIONS)
    expect(text.includes(` href="${ADMIN}${path}"`), path).toBe(mayOpen(access, role));
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
  const api = await openAdmin();
  const changes = async () =>
    JSON.stringify([
      await api.db.all(anyRow, 'SELECT count(*) AS count FROM admin_log'),
      await api.db.all(anyRow, 'SELECT count(*) AS count FROM admin_forms'),
    ]);
  let [keyed, compared] = [0, 0];
  for (const openForm of api.forms) {
    await api.signInAgain();
    const form = await openForm();
    const names = form?.fields.map(([name]) => name) ?? [];
    // Downloads are logged each time, so they have no key.
    if (!form?.isPost || !names.includes(FORM_KEY) || /\/(?:data|export)$/.test(form.action)) continue;
    const before = await changes();
    const send = (change: (sent: FormData) => void) => {
      const sent = bodyOf(form, form.buttons.slice(0, 1));
      change(sent);
      return api.send(form.action, sent);
    };
    await send((sent) => sent.delete(FORM_KEY));
    expect(await changes(), `${form.action} without a key`).toBe(before);
    keyed += 1;
    if (form.guessed || !names.includes('version')) continue;
    const { status } = await send((sent) => {
      for (const [name, value] of Object.entries(NEEDED)) if (sent.has(name)) sent.set(name, value);
      const version = new URLSearchParams(String(sent.get('version')));
      for (const name of [...version.keys()]) version.set(name, 'another one');
      sent.set('version', version.toString());
    });
    expect([status >= 400, await changes()], `${form.action} with an old version`).toEqual([true, before]);
    compared += Number(status === 409);
  }
  expect([keyed > 20, compared > 15]).toEqual([true, true]);
});

test('has a page for each area, and the table of roles in EDITORS.md', async () => {
  const used = new Set<string>(ADMIN_PAGES.map(({ access }) => access));
  expect(Object.keys(AREAS).filter((area) => !used.has(area))).toEqual([]);
  const roles = Object.values(ROLES);
  const rows = Object.entries(AREAS).map(([area, what]) => {
    const marks = roles.map(({ may }) => may === 'everything' || may.some((one) => one === area));
    return `| ${what} |${marks.map((may) => (may ? ' yes |' : ' |')).join('')}`;
  });
  const table = [
    `| | ${roles.map(({ label }) => label).join(' | ')} |`,
    '| --- | --- | --- | --- |',
    ...rows,
  ];
  expect(await readFile('src/server/admin/EDITORS.md', 'utf8')).toContain(table.join('\n'));
});

/** Spreadsheets also run formulas after spaces and with full-width characters. */
const FORMULAS = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1', '"=1"', "'=1"];

/** Attacks on pages and spreadsheets, mixed with random characters. */
const hostileTexts = fc
  .array(fc.oneof(fc.constantFrom(...ATTACKS, ...FORMULAS), fc.string({ unit: 'grapheme', maxLength: 8 })), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) =>
    parts
      .join('')
      .replaceAll(/[\0\r\n\u2028\u2029]/g, ' ')
      .trim()
      .slice(0, 60)
      .toWellFormed(),
  )
  .filter((text) => text !== '');

/** An address that the API accepts. Fields that it refuses, such as those with control characters, are replaced. */
function hostileAddress(take: () => string) {
  const address: Record<string, string> = { ...ADDRESS };
  for (const field of SHIPPING_FIELDS) {
    const parsed = v.safeParse(AddressSchema, { ...ADDRESS, [field]: take() });
    address[field] = parsed.success ? parsed.output[field] : `'${field}=`;
  }
  return address;
}

/** The text of a page and its fields, and the elements and attributes that it uses. */
function partsOf(html: string) {
  const made = new Set<string>();
  let text = '';
  const parser = new Parser({
    onopentag(tag, attributes) {
      made.add(tag);
      for (const [name, value] of Object.entries(attributes)) {
        made.add(
          /^(?:href|src|action)$/.test(name) ? `${tag} ${name} ${value.slice(0, 4)}` : `${tag} ${name}`,
        );
        text += `\n${value}\n`;
      }
    },
    ontext(part) {
      text += part;
    },
  });
  parser.end(html);
  return { text, made };
}

test('shows hostile texts of shoppers and staff as text on every page, and never as a formula in a CSV', async () => {
  const { db, owner, place, pay, ask, token } = await packing();
  const ids: string[] = [];
  for (let count = 0; count < 8; count += 1) ids.push(await place());
  await pay(ids[0] ?? '', { amount: '1.00' });
  const [arrived = ''] = ids.slice(1);
  for (const move of ['process', 'ship', 'deliver'])
    await owner.submit(`${ORDERS}/${arrived}`, `${ORDERS}/${arrived}/${move}`);
  const lines = [{ line: 0, quantity: 1 }];
  await ask(`/orders/${arrived}/returns`, { token, json: { reason: 'It was not ripe.', lines } });

  /** Every page linked from the home page, by its address. Email previews are left out: they show samples. */
  async function pages(): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    const links = new Set([ADMIN]);
    for (const link of links) {
      const { text, headers } = await owner.get(link);
      if (!headers.get('content-type')?.startsWith('text/html')) continue;
      found.set(link, text);
      for (const next of readPage(text).links)
        if (next.startsWith(ADMIN) && !/[?&](?:page|older|newer)=|\/emails\//.test(next)) links.add(next);
    }
    return found;
  }
  const made = new Set([...(await pages()).values()].flatMap((html) => [...partsOf(html).made]));

  const strings = fc.sample(hostileTexts, { seed: 103, numRuns: 2_000 });
  const take = (): string => strings.pop() ?? expect.fail('no text is left');
  const shown = new Map<string, readonly string[]>();
  await db.write(async (transaction) => {
    for (const { product: like } of await storedProducts(transaction)) {
      const product = v.parse(ProductSchema, {
        ...like,
        ...{ title: take(), category: take(), parentCategory: take(), description: take() },
        attributes: [take(), 'size', 'colour'].map((key) => ({ key, values: [take(), take()] })),
      });
      await replaceProduct(transaction, product);
      const { title, category, parentCategory, description, attributes } = product;
      const values = attributes.flatMap(({ values: list }) => list);
      shown.set(`${ADMIN}/catalogue/products/${product.id}`, [
        ...[title, category, parentCategory, description],
        ...values,
      ]);
    }
    await setMeta(transaction, 'catalogue_version', 'hostile');
    for (const id of ids) {
      const address = hostileAddress(take);
      const [title, note, tracking] = [take(), take(), take()];
      await transaction.run(
        'UPDATE orders SET address = ?, courier_note = ?, tracking = ? WHERE id = ?',
        JSON.stringify(address),
        note,
        tracking,
        id,
      );
      await transaction.run(
        'UPDATE order_items SET title = ? WHERE order_number = (SELECT number FROM orders WHERE id = ?)',
        title,
        id,
      );
      const { state: _state, ...others } = address;
      shown.set(`${ORDERS}/${id}`, [...Object.values(others), title, note]);
    }
    await transaction.run('UPDATE customers SET first_name = ?, last_name = ?', take(), take());
    await transaction.run('UPDATE staff SET name = ?', take());
    await transaction.run('UPDATE returns SET reason = ?', take());
    for (const target of ['product', 'order', 'staff'])
      await transaction.run(
        'INSERT INTO admin_log (at, who, action, target_type, target_id, from_json, to_json) VALUES (1, ?, ?, ?, ?, ?, ?)',
        ...[take(), take(), target, take(), JSON.stringify({ [take()]: take() }), JSON.stringify(take())],
      );
  });
  for (const name of ['storeName', 'companyAddress', 'description'])
    await owner.submit(`${ADMIN}/store`, `${ADMIN}/store`, { [name]: take() });

  const found = await pages();
  for (const [path, html] of found) {
    const parts = partsOf(html);
    expect(
      [...parts.made].filter((part) => !made.has(part)),
      path,
    ).toEqual([]);
    expect(readPage(html).dangers, path).toEqual([]);
    expect(
      (shown.get(path) ?? []).filter((text) => !parts.text.includes(text)),
      path,
    ).toEqual([]);
  }
  expect([...shown.keys()].filter((path) => !found.has(path))).toEqual([]);

  const prices = await owner.get(`${ADMIN}/catalogue/prices.csv`);
  const orders = await owner.submit(`${ORDERS}/export`, `${ORDERS}/export`, {});
  for (const { text } of [prices, orders]) {
    const cells = readCsv(text.replace('\uFEFF', '')).flat();
    expect(cells.length).toBeGreaterThan(50);
    expect(cells.filter((cell) => /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/.test(cell))).toEqual([]);
  }
  expect(prices.text).toContain(`"${MANGO}"`);
});
