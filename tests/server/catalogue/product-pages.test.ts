import { expect, test } from 'vitest';
import * as CURRENCY from '#domain/currency.ts';
import { formatRupees } from '#domain/money.ts';
import { productForm, productTexts } from '#server/catalogue/products/product-form.ts';
import { requireProduct, storedProducts } from '#server/catalogue/stored-products.ts';
import {
  adminApi,
  documentOf,
  expectPage,
  filledForm,
  mainText,
  pictureFile,
  tableRows,
  withFiles,
} from '#tests/server/support/admin.ts';
import { MANGO, PINEAPPLE } from '#tests/server/support/api.ts';
import { countRows, rowsOf, valuesOf } from '#tests/server/support/rows.ts';

const CATALOGUE = '/admin/catalogue';
const MANGO_PAGE = `${CATALOGUE}/products/${MANGO}`;

type Fields = Readonly<Record<string, string | readonly string[]>>;

async function catalogueAdmin() {
  const api = await adminApi();
  const editor = await api.staff('editor');
  const product = (id = MANGO) => requireProduct(api.db, id);
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

const picturesIn = (html: string): string[] =>
  [...documentOf(html).querySelectorAll('[name=pictures]')].map((input) => input.getAttribute('value') ?? '');

const withPictures = (html: string, page: string, fields: Fields, files: readonly File[]): FormData =>
  withFiles(filledForm(html, page, fields), 'pictures.file', files);

test('searches and filters the list, and finds discontinued products', async () => {
  const { editor } = await catalogueAdmin();
  const list = async (query = '') => (await editor.get(`${CATALOGUE}${query}`)).text;
  const names = async (query = '') =>
    [...documentOf(await list(query)).querySelectorAll('main li a')].map((link) => link.textContent);
  const mango = 'Alphonso Mango, box of 6';
  expect(await names()).toContain(mango);
  expect(mainText(await list())).toContain(`${formatRupees(899)} Regular price ${formatRupees(1_099)}`);
  expect(await names('?q=ALPHONSO%20mangó')).toEqual([mango]);
  expect(await names(`?q=${PINEAPPLE}`)).toEqual(['Vazhakulam Pineapple']);
  expect(await names('?category=Tropical+Fruits')).toContain('Elaichi Bananas');
  expect(mainText(await list('?q=no+such+thing'))).toContain('No product matches.');
  const discontinued = await editor.submit(MANGO_PAGE, `${MANGO_PAGE}/discontinued`, { do: 'discontinue' });
  expect(discontinued.location).toBe(MANGO_PAGE);
  expect(await names('?status=discontinued')).toEqual([mango]);
  expect(await names('?status=sold')).not.toContain(mango);
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

/** The stock is not a part of the product. */
const { stock: _, stockBefore: __, low: ___, ...FIELDS } = productForm.fields;

const otherValue = (name: string, control: string): string | readonly string[] => {
  if (name === 'pictures') return ['mango.webp', 'logo.webp'];
  if (name === 'attributes') return 'Something: else';
  if (name === 'regularPrice') return '2000';
  if (name === 'discountedPrice') return '12.50';
  if (name === 'saleFrom' || name === 'saleUntil') return '2026-01-08T10:00';
  if (name === 'backOn') return '2026-02-01';
  if (control === 'number') return '3';
  return control === 'checkbox' ? [] : 'Something else';
};

test.each(Object.entries(FIELDS))(
  '%s: is stored and logged, and not overwritten by an old page',
  async (name, { control }) => {
    const { product, press, log, staff } = await catalogueAdmin();
    const other = await staff('owner');
    const { text } = await other.get(MANGO_PAGE);
    const texts = async (): Promise<Record<string, string>> => productTexts((await product()).product);
    const before = await texts();
    expect((await press('save', { [name]: otherValue(name, control) })).status).toBe(303);
    const after = await texts();
    expect(Object.keys(after).filter((field) => after[field] !== before[field])).toEqual([name]);
    const [entry] = await log();
    const changed = [entry?.from, entry?.to].flatMap((json) => Object.keys(JSON.parse(String(json))));
    expect([...new Set(changed)]).toEqual([name]);
    const late = await other.post(MANGO_PAGE, filledForm(text, MANGO_PAGE, { do: 'save' }));
    const again = await other.post(MANGO_PAGE, filledForm(late.text, MANGO_PAGE, { do: 'save' }));
    expect([late.status, again.status, await texts()]).toEqual([409, 303, after]);
  },
);

test('shows errors beside their fields, and keeps everything that was typed', async () => {
  const { log, press } = await catalogueAdmin();
  const typed = {
    title: ' ',
    regularPrice: '12,50',
    discountedPrice: '1.005',
    sizes: 'S, M',
    attributes: 'Origin: Goa\nWeight',
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
    'field-attributes-error: The attribute “Weight”: the list of values needs a value',
  ]);
  for (const [name, value] of Object.entries(typed)) expect(typedIn(answer.text, name), name).toBe(value);
  expect(await log()).toEqual([]);
});

test.each([
  ['Size: S', 'The attribute “Size” has a field of its own above'],
  [`Weight (${'x'.repeat(21)}): 1`, 'The attribute “Weight”: the unit has more than 20 characters'],
  [`${'x'.repeat(101)}: 1`, `The attribute “${'x'.repeat(50)}”: the name has more than 100 characters`],
  [': 1', 'The attribute “”: the name must not be empty'],
  [
    Array.from({ length: 101 }, (_, index) => `a${index}: 1`).join('\n'),
    'A product has at most 100 attributes',
  ],
])('refuses other attributes, case %#', async (attributes, error) => {
  const { press, log } = await catalogueAdmin();
  expectPage(await press('save', { attributes }), 422, error);
  expect(await log()).toEqual([]);
});

test('reads an attribute from each line, and keeps the spelling and ids of unchanged ones', async () => {
  const { press, product, changeProduct } = await catalogueAdmin();
  const odd = [
    { id: '7', key: 'Ratio 1:2', values: ['a;b', 'c: d'], metricUnit: 'kg' },
    { key: 'Care (soft)', values: ['Keep cool, and dry'] },
    { key: 'colors', id: '8', values: ['Red'] },
    { key: 'Tried', values: ['Yes'] },
  ];
  await changeProduct(MANGO, { attributes: odd });
  expect((await press('save', { title: 'Other' })).status).toBe(303);
  expect((await product()).product.attributes).toEqual(odd);
  const lines = productTexts((await product()).product).attributes.split('\n');
  expect(lines).toEqual(['Ratio 1:2 (kg): a;b; c: d', 'Care (soft): Keep cool, and dry', 'Tried: Yes']);
  const attributes = ['Weight (kg): 1.5', ' ', 'Origin:Goa ;  Devgad', ...lines.slice(0, 2)].join('\n');
  expect((await press('save', { attributes })).status).toBe(303);
  expect((await product()).product.attributes).toEqual([
    { key: 'Weight', metricUnit: 'kg', values: ['1.5'] },
    { key: 'Origin', values: ['Goa', 'Devgad'] },
    ...odd.slice(0, 3),
  ]);
});

test('uploads several pictures at once, reorders and removes them', async () => {
  const { press, product, editor, db } = await catalogueAdmin();
  const { text } = await editor.get(MANGO_PAGE);
  const files = [await pictureFile('red.png', 'red'), await pictureFile('blue.png', 'blue')];
  const uploaded = await editor.post(MANGO_PAGE, withPictures(text, MANGO_PAGE, { do: 'preview' }, files));
  expect(uploaded.status).toBe(200);
  const [mango = '', red = '', blue = ''] = picturesIn(uploaded.text);
  let html = uploaded.text;
  const order = [];
  const changes: Fields[] = [
    { 'pictures.place': ['1', '2', '1'] },
    { 'pictures.place': ['3', '1', 'x'] },
    { 'pictures.remove': [red] },
  ];
  for (const change of changes) {
    html = (await editor.post(MANGO_PAGE, filledForm(html, MANGO_PAGE, { do: 'preview', ...change }))).text;
    order.push(picturesIn(html));
  }
  expect(order).toEqual([
    [blue, mango, red],
    [mango, red, blue],
    [mango, blue],
  ]);
  const fields = { do: 'save', 'pictures.remove': [mango] };
  expect((await editor.post(MANGO_PAGE, filledForm(html, MANGO_PAGE, fields))).status).toBe(303);
  expect((await product()).product).toMatchObject({ imgUrl: blue, images: [{ url: blue }] });
  const stored = await valuesOf(db, 'SELECT name FROM pictures');
  expect([stored.includes(blue), stored.includes(red)]).toEqual([true, false]);
  const none = await press('save', { pictures: [] });
  expect(none.text).toContain('Add a picture: each product needs one.');
});

test('refuses invalid, too large or too many files with a sentence for each, and stores none', async () => {
  const { editor, db, log } = await catalogueAdmin();
  const { text } = await editor.get(MANGO_PAGE);
  const before = await countRows(db, 'pictures');
  const files = [
    new File(['<svg xmlns="http://www.w3.org/2000/svg"/>'], 'drawing.svg', { type: 'image/png' }),
    new File(['no picture'], 'note<b>.png', { type: 'image/png' }),
    new File([new Uint8Array(31 * 1_024 * 1_024)], 'heavy.jpg', { type: 'image/jpeg' }),
  ];
  const kept = { do: 'save', title: 'Kept' };
  const answer = await editor.post(MANGO_PAGE, withPictures(text, MANGO_PAGE, kept, files));
  expect(answer.status).toBe(422);
  const error = documentOf(answer.text).querySelector('#field-pictures-error')?.textContent ?? '';
  for (const sentence of [
    '“drawing.svg” was not added. This is not a JPEG, PNG, WebP or AVIF picture.',
    '“note<b>.png” was not added.',
    '“heavy.jpg” was not added. This file is larger than 30 MB.',
  ])
    expect(error).toContain(sentence);
  expect(typedIn(answer.text, 'title')).toBe('Kept');
  const many = withPictures(text, MANGO_PAGE, { do: 'preview' }, Array(30).fill(files[0]));
  const refused = await editor.post(MANGO_PAGE, many);
  expect(mainText(refused.text)).toContain('At most 20 pictures can be uploaded at once.');
  expect(await countRows(db, 'pictures')).toBe(before);
  expect(await log()).toEqual([]);
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
  for (const [sent, status, most] of [
    [cookie, 413, 40],
    ['', 303, 3],
  ] as const) {
    const answer = await stream(sent);
    expect(answer.status).toBe(status);
    expect(answer.mebibytes).toBeLessThan(most);
  }
});

test('adds and copies a product under an unused id from its title, after the others of its category', async () => {
  const { editor, product, log, db } = await catalogueAdmin();
  const ids = async () => (await storedProducts(db)).map((stored) => stored.product.id);
  const page = `${CATALOGUE}/new`;
  const before = await ids();
  const copies = ['alphonso-mango-box-of-6-copy', 'alphonso-mango-box-of-6-copy-2'];
  for (const id of copies) {
    const copy = await editor.submit(`${page}?copy=${MANGO}`, page, { do: 'save' });
    expect(copy.location).toBe(`${CATALOGUE}/products/${id}`);
  }
  expect(await ids()).toEqual(before.toSpliced(before.indexOf('papaya') + 1, 0, ...copies));
  const { attributes, regularPrice } = (await product()).product;
  expect(await product('alphonso-mango-box-of-6-copy')).toMatchObject({
    isDiscontinued: false,
    product: { title: 'Alphonso Mango, box of 6 (copy)', regularPrice, attributes },
  });
  const { text } = await editor.get(page);
  const fields = {
    ...{ do: 'save', title: 'Falsa', regularPrice: '80', attributes: 'Pieces: 20' },
    ...{ category: 'Berries', parentCategory: 'Fresh Fruits' },
  };
  const picture = await pictureFile('jamun.png', 'purple');
  const added = await editor.post(page, withPictures(text, page, fields, [picture]));
  expect(added.location).toBe(`${CATALOGUE}/products/falsa`);
  expect(await product('falsa')).toMatchObject({
    product: { createdAt: '2026-01-05T10:00:00.000Z', attributes: [{ key: 'Pieces', values: ['20'] }] },
  });
  expect((await log()).map(({ action, id }) => [action, id])).toEqual([
    ...copies.map((id) => ['added', id]),
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
  // After an error is fixed, the form still has the version with which it was opened.
  const wrong = await other.post(MANGO_PAGE, filledForm(text, MANGO_PAGE, { ...late, title: ' ' }));
  const fixed = { do: 'save', title: 'Alphonso Mango, box of 6' };
  const conflict = await other.post(MANGO_PAGE, filledForm(wrong.text, MANGO_PAGE, fixed));
  expect(conflict.status).toBe(409);
  expect((await product()).product).toMatchObject({ regularPrice: 1_200, category: 'Tropical Fruits' });
  expect(tableRows(conflict.text, '[role=alert]')).toEqual([
    [FIELDS.regularPrice.label, '1,300', '1200'],
    ['Category', 'Mangoes', 'Tropical Fruits'],
  ]);
  const saved = await other.post(MANGO_PAGE, filledForm(conflict.text, MANGO_PAGE, { do: 'save' }));
  expect(saved.status).toBe(303);
  const merged = { title: 'Mango of the first', regularPrice: 1_300, category: 'Mangoes' };
  expect((await product()).product).toMatchObject(merged);
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

async function sortAdmin() {
  const api = await catalogueAdmin();
  const order = async () => (await storedProducts(api.db)).map(({ product }) => product.id);
  const move = (places: Record<string, string>, page = CATALOGUE) => {
    const fields = Object.entries(places).map(([id, place]) => [`place.${id}`, place]);
    return api.editor.submit(page, page, Object.fromEntries(fields));
  };
  return { ...api, order, move };
}

test('moves products to typed places, also in a filtered list', async () => {
  const { order, move, editor, log } = await sortAdmin();
  const [first = '', second = '', third = '', ...rest] = await order();
  const filtered = `${CATALOGUE}?category=Tropical+Fruits`;
  expect((await move({ [third]: '2' }, filtered)).location).toBe(filtered);
  expect(await order()).toEqual([first, third, second, ...rest]);
  await move({ [first]: String(rest.length + 3) });
  expect(await order()).toEqual([third, second, ...rest, first]);
  await move({ [third]: '2', [second]: '1', [rest[0] ?? '']: '3' });
  expect(await order()).toEqual([second, third, ...rest, first]);
  expect(mainText((await editor.get(CATALOGUE)).text)).toContain('2 products were moved.');
  expect((await log())[0]).toMatchObject({ id: third, from: '{"place":3}', to: '{"place":2}' });
});

test('moves nothing from an old list', async () => {
  const { order, move, editor } = await sortAdmin();
  const before = await order();
  const old = filledForm((await editor.get(CATALOGUE)).text, CATALOGUE, { [`place.${before[3]}`]: '1' });
  await move({ [before[1] ?? '']: '1' });
  const now = await order();
  expectPage(await editor.post(CATALOGUE, old), 409, 'The list below has the current order');
  expect(await order()).toEqual(now);
});

test('shows an error beside an invalid place, and keeps it in the field', async () => {
  const { order, move } = await sortAdmin();
  const before = await order();
  const id = before[1] ?? '';
  for (const place of ['0', String(before.length + 1), 'first', '-1', '1.5', '']) {
    const answer = await move({ [id]: place });
    expect(answer.status).toBe(422);
    const field = documentOf(answer.text).getElementById(`field-place.${id}`);
    expect([field?.getAttribute('value'), field?.getAttribute('aria-invalid')]).toEqual([place, 'true']);
  }
  expect(await order()).toEqual(before);
});
