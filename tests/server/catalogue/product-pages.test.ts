import sharp from 'sharp';
import { expect, test } from 'vitest';
import * as CURRENCY from '#domain/currency.ts';
import { formatRupees } from '#domain/money.ts';
import {
  PRODUCT_FIELD_NAMES,
  PRODUCT_FIELDS,
  type ProductFieldName,
  typedOf,
} from '#server/catalogue/products/product-form.ts';
import { storedProduct, storedProducts } from '#server/catalogue/stored-products.ts';
import { adminApi, documentOf, expectPage, filledForm, mainText } from '#tests/server/support/admin.ts';
import { MANGO, PINEAPPLE } from '#tests/server/support/api.ts';
import { rowsOf } from '#tests/server/support/rows.ts';

const CATALOGUE = '/admin/catalogue';
const MANGO_PAGE = `${CATALOGUE}/products/${MANGO}`;

type Fields = Readonly<Record<string, string | readonly string[]>>;

async function catalogueAdmin() {
  const api = await adminApi();
  const editor = await api.staff('editor');
  const product = async (id = MANGO) => (await storedProduct(api.db, id)) ?? expect.fail(`no ${id}`);
  const log = () =>
    rowsOf(
      api.db,
      `SELECT who, action, target_id AS id, from_json AS "from", to_json AS "to" FROM admin_log
       WHERE target_type = 'product' ORDER BY number`,
    );
  const press = (button: string, fields: Fields = {}, page = MANGO_PAGE) =>
    editor.submit(page, page, { do: button, ...fields });
  return { ...api, editor, product, log, press };
}

const typedIn = (html: string, name: string): string => {
  const control = documentOf(html).querySelector(`[name="${name}"]:not([type=hidden])`);
  return control && 'value' in control ? String(control.value) : '';
};

const picturesIn = (html: string): (string | null)[] =>
  [...documentOf(html).querySelectorAll('[name=picture]')].map((input) => input.getAttribute('value'));

const pictureFile = async (name: string, background: string, side = 40) => {
  const bytes = await sharp({ create: { width: side, height: side, channels: 3, background } })
    .png()
    .toBuffer();
  return new File([new Uint8Array(bytes)], name, { type: 'image/png' });
};

function withFiles(html: string, action: string, fields: Fields, files: readonly File[]): FormData {
  const form = new FormData();
  for (const [name, value] of filledForm(html, action, fields)) form.append(name, value);
  form.delete('files');
  for (const file of files) form.append('files', file);
  return form;
}

test('searches and filters the list, and finds discontinued products', async () => {
  const { editor } = await catalogueAdmin();
  const names = (html: string) =>
    [...documentOf(html).querySelectorAll('main li a')].map((link) => link.textContent);
  const all = (await editor.get(CATALOGUE)).text;
  expect(names(all)).toContain('Alphonso Mango, box of 6');
  expect(mainText(all)).toContain(`${formatRupees(899)} Regular price ${formatRupees(1_099)}`);
  expect(names((await editor.get(`${CATALOGUE}?q=ALPHONSO%20mangó`)).text)).toEqual([
    'Alphonso Mango, box of 6',
  ]);
  expect(names((await editor.get(`${CATALOGUE}?q=${PINEAPPLE}`)).text)).toEqual(['Vazhakulam Pineapple']);
  expect(names((await editor.get(`${CATALOGUE}?category=Tropical+Fruits`)).text)).toContain(
    'Elaichi Bananas',
  );
  expect(mainText((await editor.get(`${CATALOGUE}?q=no+such+thing`)).text)).toContain('No product matches.');
  const discontinued = await editor.submit(MANGO_PAGE, `${MANGO_PAGE}/discontinued`, { do: 'discontinue' });
  expect(discontinued.location).toBe(MANGO_PAGE);
  expect(names((await editor.get(`${CATALOGUE}?status=discontinued`)).text)).toEqual([
    'Alphonso Mango, box of 6',
  ]);
  expect(names((await editor.get(`${CATALOGUE}?status=sold`)).text)).not.toContain(
    'Alphonso Mango, box of 6',
  );
});

test('changes nothing when an unchanged form is saved', async () => {
  const { db, press, log } = await catalogueAdmin();
  const before = await storedProducts(db);
  for (const { product } of before) {
    const page = `${CATALOGUE}/products/${product.id}`;
    expect((await press('save', {}, page)).status).toBe(303);
  }
  expect(await storedProducts(db)).toEqual(before);
  expect(await log()).toEqual([]);
});

const otherValue = (name: ProductFieldName): string | readonly string[] => {
  if (name === 'regularPrice') return '2000';
  if (name === 'discountedPrice') return '12.50';
  if (name === 'saleFrom' || name === 'saleUntil') return '2026-01-08T10:00';
  return PRODUCT_FIELDS[name].field.control === 'checkbox' ? [] : 'Something else';
};

test.each(PRODUCT_FIELD_NAMES)(
  '%s: is stored and logged, and not overwritten by an old page',
  async (name) => {
    const { product, press, log, staff } = await catalogueAdmin();
    const other = await staff('owner');
    const { text } = await other.get(MANGO_PAGE);
    const before = typedOf((await product()).product);
    expect((await press('save', { [name]: otherValue(name) })).status).toBe(303);
    const after = typedOf((await product()).product);
    expect(Object.keys(after).filter((field) => after[field] !== before[field])).toEqual([name]);
    const [entry] = await log();
    const changed = [entry?.from, entry?.to].flatMap((json) => Object.keys(JSON.parse(String(json))));
    expect([...new Set(changed)]).toEqual(['attribute' in PRODUCT_FIELDS[name] ? 'attributes' : name]);
    const late = await other.post(MANGO_PAGE, filledForm(text, MANGO_PAGE, { do: 'save' }));
    const again = await other.post(MANGO_PAGE, filledForm(late.text, MANGO_PAGE, { do: 'save' }));
    expect([late.status, again.status, typedOf((await product()).product)]).toEqual([409, 303, after]);
  },
);

test('shows errors beside their fields, and keeps everything that was typed', async () => {
  const { product, press } = await catalogueAdmin();
  const typed = {
    title: ' ',
    regularPrice: '12,50',
    discountedPrice: '1.005',
    sizes: 'S, M',
    'key-0': 'Size',
    'values-0': '',
    'unit-0': 'x'.repeat(21),
  };
  const answer = await press('save', typed);
  expect(answer.status).toBe(422);
  const page = documentOf(answer.text);
  const errors = [...page.querySelectorAll('[id$=-error]')].map(
    ({ id, textContent }) => `${id}: ${textContent}`,
  );
  expect(errors).toEqual([
    'field-title-error: Enter: Title',
    `field-regularPrice-error: Regular price in ${CURRENCY.symbol} must be an amount in ${CURRENCY.word}, such as 1,299 or 129.50`,
    `field-discountedPrice-error: Sale price in ${CURRENCY.symbol} must be an amount in ${CURRENCY.word}, such as 1,299 or 129.50`,
    'field-key-0-error: “Size” has a field of its own above',
    'field-values-0-error: The list of values needs a value',
    'field-unit-0-error: Unit has more than 20 characters',
  ]);
  for (const [name, value] of Object.entries(typed)) expect(typedIn(answer.text, name), name).toBe(value);
  expect(await product()).toMatchObject({ version: 1 });
});

test('adds and removes attributes with buttons that save nothing', async () => {
  const { press, product, editor } = await catalogueAdmin();
  const added = await press('add-row', { title: 'Not yet' });
  expect(added.status).toBe(200);
  const row = documentOf(added.text).querySelector('[name=key-1]');
  expect(row?.hasAttribute('autofocus')).toBe(true);
  expect(typedIn(added.text, 'title')).toBe('Not yet');
  expect(await product()).toMatchObject({ version: 1 });
  const values = { do: 'remove-row-0', 'key-1': 'Origin', 'values-1': 'Ratnagiri\nDevgad' };
  const removed = await editor.post(MANGO_PAGE, filledForm(added.text, MANGO_PAGE, values));
  expect([typedIn(removed.text, 'key-0'), typedIn(removed.text, 'key-1')]).toEqual(['Origin', '']);
  const saved = filledForm(removed.text, MANGO_PAGE, { do: 'save' });
  saved.delete('featured');
  expect((await editor.post(MANGO_PAGE, saved)).status).toBe(303);
  expect((await product()).product).toMatchObject({
    title: 'Not yet',
    attributes: [{ key: 'Origin', values: ['Ratnagiri', 'Devgad'] }],
  });
});

test('uploads several pictures at once, reorders and removes them', async () => {
  const { press, product, editor, db } = await catalogueAdmin();
  const { text } = await editor.get(MANGO_PAGE);
  const files = [await pictureFile('red.png', 'red'), await pictureFile('blue.png', 'blue')];
  const uploaded = await editor.post(MANGO_PAGE, withFiles(text, MANGO_PAGE, { do: 'upload' }, files));
  expect(uploaded.status).toBe(200);
  const [mango, red, blue] = picturesIn(uploaded.text);
  expect([mango, red, blue]).toEqual(['mango.webp', expect.any(String), expect.any(String)]);
  let html = uploaded.text;
  const order = [];
  for (const button of ['first-2', 'later-0', 'earlier-2', 'drop-1']) {
    html = (await editor.post(MANGO_PAGE, filledForm(html, MANGO_PAGE, { do: button }))).text;
    order.push(picturesIn(html));
  }
  expect(order).toEqual([
    [blue, mango, red],
    [mango, blue, red],
    [mango, red, blue],
    [mango, blue],
  ]);
  expect((await editor.post(MANGO_PAGE, filledForm(html, MANGO_PAGE, { do: 'save' }))).status).toBe(303);
  expect((await product()).product).toMatchObject({ imgUrl: mango, images: [{ url: mango }, { url: blue }] });
  const stored = await rowsOf(db, 'SELECT name FROM pictures');
  expect(stored).toContainEqual({ name: blue });
  expect(stored).not.toContainEqual({ name: red });
  const none = await press('save', { picture: [] });
  expect(none.text).toContain('Add a picture: each product needs one.');
});

test('refuses invalid, too large or too many files with a sentence for each, and stores none', async () => {
  const { editor, db, product } = await catalogueAdmin();
  const { text } = await editor.get(MANGO_PAGE);
  const count = async () => (await rowsOf(db, 'SELECT name FROM pictures')).length;
  const before = await count();
  const files = [
    new File(['<svg xmlns="http://www.w3.org/2000/svg"/>'], 'drawing.svg', { type: 'image/png' }),
    new File(['no picture'], 'note<b>.png', { type: 'image/png' }),
    new File([new Uint8Array(16 * 1_024 * 1_024)], 'heavy.jpg', { type: 'image/jpeg' }),
  ];
  const answer = await editor.post(
    MANGO_PAGE,
    withFiles(text, MANGO_PAGE, { do: 'save', title: 'Kept' }, files),
  );
  expect(answer.status).toBe(422);
  const error = documentOf(answer.text).querySelector('#field-files-error')?.textContent ?? '';
  expect(error).toContain('“drawing.svg” was not added. This is not a JPEG, PNG, WebP or AVIF picture.');
  expect(error).toContain('“note<b>.png” was not added.');
  expect(error).toContain('“heavy.jpg” was not added. This file is larger than 15 MB.');
  expect(typedIn(answer.text, 'title')).toBe('Kept');
  const many = withFiles(
    text,
    MANGO_PAGE,
    { do: 'upload' },
    Array.from({ length: 30 }, () => files[0] ?? expect.fail()),
  );
  expect(mainText((await editor.post(MANGO_PAGE, many)).text)).toContain(
    'At most 20 pictures can be uploaded at once.',
  );
  expect(await count()).toBe(before);
  expect(await product()).toMatchObject({ version: 1 });
});

test('refuses an upload of 100 MB before it is read, and reads nothing of visitors', async () => {
  const { editor, app } = await catalogueAdmin();
  const MIB = 1_024 * 1_024;
  const headers = { 'Content-Type': 'multipart/form-data; boundary=x', Origin: 'http://localhost:8044' };
  const announced = await editor.request(MANGO_PAGE, {
    method: 'POST',
    body: 'x',
    headers: { ...headers, 'Content-Length': String(100 * MIB) },
  });
  expectPage(announced, 413, 'larger than 32 MB');

  async function stream(cookie: string) {
    let read = 0;
    const body = new ReadableStream({
      pull(controller) {
        read += MIB;
        if (read <= 100 * MIB) controller.enqueue(new Uint8Array(MIB));
        else controller.close();
      },
    });
    const request = { method: 'POST', body, duplex: 'half', headers: { ...headers, Cookie: cookie } };
    const bindings = { incoming: { socket: { remoteAddress: '127.0.0.1' } } };
    const { status } = await app.request(MANGO_PAGE, request, bindings);
    return { status, mebibytes: read / MIB };
  }
  const cookie = [...editor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const unannounced = await stream(cookie);
  expect(unannounced.status).toBe(413);
  expect(unannounced.mebibytes).toBeLessThan(40);
  const visitor = await stream('');
  expect(visitor.status).toBe(303);
  expect(visitor.mebibytes).toBeLessThan(3);
});

test('adds and copies a product under an id that no other has, ignoring case', async () => {
  const { editor, product, log } = await catalogueAdmin();
  const page = `${CATALOGUE}/new`;
  const copy = await editor.submit(`${page}?copy=${MANGO}`, page, { do: 'save' });
  expect(copy.location).toBe(`${CATALOGUE}/products/alphonso-mango-box-of-6-copy`);
  expect(await product('alphonso-mango-box-of-6-copy')).toMatchObject({
    isDiscontinued: false,
    product: {
      title: 'Alphonso Mango, box of 6 (copy)',
      regularPrice: 1_099,
      attributes: (await product()).product.attributes,
    },
  });
  const taken = await editor.submit(`${page}?copy=${MANGO}`, page, { do: 'save', id: MANGO.toUpperCase() });
  expect(documentOf(taken.text).querySelector('#field-id-error')?.textContent).toBe(
    'Id is taken by another product',
  );
  const { text } = await editor.get(page);
  const fields = {
    do: 'save',
    title: 'Falsa',
    regularPrice: '80',
    category: 'Berries',
    parentCategory: 'Fresh Fruits',
    'key-0': 'Pieces',
    'values-0': '20',
  };
  const added = await editor.post(
    page,
    withFiles(text, page, fields, [await pictureFile('jamun.png', 'purple')]),
  );
  expect(added.location).toBe(`${CATALOGUE}/products/falsa`);
  expect(await product('falsa')).toMatchObject({
    product: { createdAt: '2026-01-05T10:00:00.000Z', attributes: [{ key: 'Pieces', values: ['20'] }] },
  });
  expect((await log()).map(({ action, id }) => [action, id])).toEqual([
    ['added', 'alphonso-mango-box-of-6-copy'],
    ['added', 'falsa'],
  ]);
  expect((await editor.get(`${page}?copy=none`)).status).toBe(404);
});

test('shows both values when two editors change one product, and saves the merged form', async () => {
  const { staff, product, press, log } = await catalogueAdmin();
  const other = await staff('owner');
  const { text } = await other.get(MANGO_PAGE);
  await press('save', { regularPrice: '1200', title: 'Mango of the first' });
  const late = { do: 'save', regularPrice: '1,300', category: 'Mangoes' };
  const conflict = await other.post(MANGO_PAGE, filledForm(text, MANGO_PAGE, late));
  expect(conflict.status).toBe(409);
  expect(await product()).toMatchObject({
    version: 2,
    product: { regularPrice: 1_200, category: 'Tropical Fruits' },
  });
  const rows = [...documentOf(conflict.text).querySelectorAll('[role=alert] tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].map(({ textContent }) => textContent),
  );
  expect(rows).toEqual([
    [PRODUCT_FIELDS.regularPrice.field.label, '1,300', '1200'],
    ['Category', 'Mangoes', 'Tropical Fruits'],
  ]);
  const names = ['title', 'regularPrice', 'category'];
  expect(names.map((name) => typedIn(conflict.text, name))).toEqual([
    'Mango of the first',
    '1,300',
    'Mangoes',
  ]);
  const saved = await other.post(MANGO_PAGE, filledForm(conflict.text, MANGO_PAGE, { do: 'save' }));
  expect(saved.status).toBe(303);
  expect(await product()).toMatchObject({
    version: 3,
    product: { title: 'Mango of the first', regularPrice: 1_300, category: 'Mangoes' },
  });
  expect(await log()).toHaveLength(2);
});

test('discontinues a product from an old page, and changes nothing else', async () => {
  const { editor, product, press, log } = await catalogueAdmin();
  const { text } = await editor.get(MANGO_PAGE);
  await press('save', { title: 'Changed' });
  const form = filledForm(text, `${MANGO_PAGE}/discontinued`, { do: 'discontinue' });
  for (let times = 0; times < 2; times += 1)
    expect((await editor.post(`${MANGO_PAGE}/discontinued`, form)).status).toBe(303);
  expect(await product()).toMatchObject({ isDiscontinued: true, product: { title: 'Changed' } });
  expect((await editor.submit(MANGO_PAGE, `${MANGO_PAGE}/discontinued`, { do: 'bring-back' })).status).toBe(
    303,
  );
  expect(await product()).toMatchObject({ isDiscontinued: false });
  expect((await log()).map(({ action }) => action)).toEqual(['changed', 'discontinued', 'brought back']);
});

const SORT = '/admin/catalogue/sort';

async function sortAdmin() {
  const api = await adminApi();
  const editor = await api.staff('editor');
  const order = async () => (await storedProducts(api.db)).map(({ product }) => product.id);
  const press = (button: string, fields: Record<string, string> = {}, page = SORT) =>
    editor.submit(page, SORT, { do: button, ...fields });
  return { ...api, editor, order, press };
}

test('moves a product up, down, and to a typed position', async () => {
  const { order, press, db, editor } = await sortAdmin();
  const [first = '', second = '', third = '', ...rest] = await order();
  expect((await press('up-2')).location).toBe(SORT);
  expect(await order()).toEqual([first, third, second, ...rest]);
  await press('down-0');
  expect(await order()).toEqual([third, first, second, ...rest]);
  await press('move', { 'to-0': String(rest.length + 3) });
  expect(await order()).toEqual([first, second, ...rest, third]);
  await press('move', { 'to-0': '2', 'to-1': '1' });
  expect(await order()).toEqual([second, first, ...rest, third]);
  expect(mainText((await editor.get(SORT)).text)).toContain('products were moved.');
  const log = await rowsOf(
    db,
    "SELECT target_id AS id, from_json AS before, to_json AS after FROM admin_log WHERE action = 'moved' ORDER BY number",
  );
  expect(log[0]).toEqual({ id: third, before: '{"position":3}', after: '{"position":2}' });
});

test('moves a product past its neighbours in a filtered list', async () => {
  const { order, press, db } = await sortAdmin();
  const products = await storedProducts(db);
  const categories = new Map(products.map(({ product }) => [product.id, product.category]));
  const before = await order();
  const berries = before.filter((id) => categories.get(id) === 'Berries');
  await press('down-0', {}, `${SORT}?category=Berries`);
  const after = await order();
  expect(after.filter((id) => categories.get(id) === 'Berries')).toEqual([
    berries[1],
    berries[0],
    ...berries.slice(2),
  ]);
});

test('shows an error beside an invalid position, and keeps it in the field', async () => {
  const { order, press } = await sortAdmin();
  const before = await order();
  for (const position of ['0', String(before.length + 1), 'first', '-1', '1.5', '']) {
    const answer = await press('move', { 'to-1': position });
    expect(answer.status).toBe(422);
    const field = documentOf(answer.text).querySelector('#field-to-1');
    expect([field?.getAttribute('value'), field?.getAttribute('aria-invalid')]).toEqual([position, 'true']);
  }
  expect(await order()).toEqual(before);
});
