import * as v from 'valibot';
import { expect, test } from 'vitest';
import {
  type Category,
  categories,
  categoryName,
  saveCategories,
} from '#server/catalogue/categories/stored-categories.ts';
import { requireProduct, storedProducts } from '#server/catalogue/stored-products.ts';
import { requireStore } from '#server/store/stored-store.ts';
import {
  adminApi,
  documentOf,
  expectPage,
  filledForm,
  mainText,
  pictureFile,
  withFiles,
} from '#tests/server/support/admin.ts';
import { PINEAPPLE } from '#tests/server/support/api.ts';

const STORE = '/admin/store';
const LIST = `${STORE}/categories`;
const EDIT = `${LIST}/edit`;

const withPicture = async (fields: URLSearchParams, name: string) =>
  withFiles(fields, name, [await pictureFile('red.png', 'red')]);

/** The page of a category. */
const pageOf = (name = '') => `${EDIT}?${new URLSearchParams({ name })}`;

async function storeAdmin() {
  const api = await adminApi();
  const editor = await api.staff('editor');
  const open = async (path: string, action: string, fields = {}) =>
    filledForm((await editor.get(path)).text, action, fields);
  const names = async () => (await categories(api.db)).map(({ name }) => name);
  const recent = async () => mainText((await (await api.staff('owner')).get('/admin/log')).text);
  return { ...api, editor, open, names, recent };
}

test('stores an editor’s change of the store, and logs it', async () => {
  const { editor, db, recent } = await storeAdmin();
  const answer = await editor.submit(STORE, STORE, { companyPhone: '+91 22222 22222' });
  expect([answer.status, answer.location]).toEqual([303, STORE]);
  expect((await requireStore(db)).companyPhone).toBe('+91 22222 22222');
  const log = await recent();
  expect(log).toContain('companyPhone: +91 22222 22222');
  expect(log).not.toContain('companyName:');
});

test('refuses a pause that never ends or has ended before it begins, and a place with two charges', async () => {
  const { editor } = await storeAdmin();
  const refused = async (fields: Record<string, string>, error: string) =>
    expectPage(await editor.submit(STORE, STORE, fields), 422, error);
  const error = 'No orders until must be the last day, not before the first';
  await refused({ 'pause.from': '2026-12-10', 'pause.until': '' }, error);
  await refused({ 'pause.from': '2026-12-10', 'pause.until': '2026-12-09' }, error);
  await refused(
    { 'delivery.places': '411 25\n411 40' },
    'Delivery costs to some PIN codes must name 411 once',
  );
  const day = { 'pause.from': '2026-12-10', 'pause.until': '2026-12-10' };
  expect((await editor.submit(STORE, STORE, day)).status).toBe(303);
});

test('adds, moves and removes categories, and renames them in their products', async () => {
  const { editor, names, open, ask } = await storeAdmin();
  const [first = '', second = ''] = await names();
  await editor.submit(`${LIST}/new`, EDIT, { name: 'Vegetables' });
  expect((await names()).at(-1)).toBe('Vegetables');
  await editor.submit(pageOf(first), pageOf(first), { name: 'Fruits & Co' });
  expect((await names())[0]).toBe('Fruits & Co');
  const listed = await ask('/api/v1/products?category=fruits %26 co');
  expect(listed.json).toMatchObject({
    data: expect.arrayContaining([expect.objectContaining({ category: 'Fruits & Co' })]),
  });
  const renamed = pageOf('Fruits & Co');
  await editor.submit(renamed, renamed, { place: '2' });
  expect((await names()).slice(0, 2)).toEqual([second, 'Fruits & Co']);
  await editor.submit(renamed, renamed, { place: '999' });
  expect((await names()).at(-1)).toBe('Fruits & Co');
  expectPage(
    await editor.submit(renamed, renamed, { place: '0' }),
    422,
    'Place must be a whole number from 1',
  );
  const page = `${EDIT}?name=Vegetables`;
  await editor.post(`${LIST}/remove`, await open(page, `${LIST}/remove`));
  expect(await names()).not.toContain('Vegetables');
  expect((await editor.get(page)).status).toBe(404);
});

test('stores a category’s picture, and refuses the name of another category', async () => {
  const { editor, db, open } = await storeAdmin();
  const [first, second] = await categories(db);
  const page = pageOf(first?.name);
  const form = await open(page, page, { name: second?.name });
  const answer = await editor.post(page, await withPicture(form, 'image.file'));
  expectPage(answer, 422, 'Name is in the list twice');
  const again = filledForm(answer.text, page, { name: first?.name ?? '' });
  expect((await editor.post(page, again)).status).toBe(303);
  expect((await categories(db))[0]?.image).toMatch(/^[0-9a-f]{32}\.webp$/);
});

test('refuses a list of categories that is empty, or has a category twice or a missing picture', async () => {
  const { db } = await storeAdmin();
  const save = (list: readonly Category[]) => db.write((transaction) => saveCategories(transaction, list));
  const twice = ['Fruit', 'fruit'].map((name) => ({ name, image: '' }));
  expect(await save(twice)).toBe('is in the list twice');
  expect(await save([{ name: 'Fruit', image: 'none.webp' }])).toBe("has no picture 'none.webp'");
  expect(await save([])).toBe('needs a category');
  expect(v.is(categoryName, '__proto__')).toBe(false);
});

test('keeps what was typed when another editor has renamed the category', async () => {
  const { editor, names, open, staff } = await storeAdmin();
  const other = await staff('editor', 'other@example.com');
  const [first = ''] = await names();
  const path = pageOf(first);
  const late = await open(path, path, { name: 'Late' });
  await other.submit(path, path, { name: 'Early' });

  const answer = await editor.post(path, late);
  expectPage(answer, 409, `There is no ${first} any more`);
  expect(await names()).not.toContain('Late');
  expect((await editor.post(EDIT, filledForm(answer.text, EDIT))).status).toBe(303);
  expect(await names()).toEqual(expect.arrayContaining(['Early', 'Late']));
});

test('a renamed category takes along its products, also as their parent category, and its old address', async () => {
  const { db, editor, ask, names, changeProduct } = await storeAdmin();
  const [first = ''] = await names();
  await changeProduct(PINEAPPLE, { parentCategory: first.toUpperCase() });
  const rename = (from: string, to: string) => editor.submit(pageOf(from), pageOf(from), { name: to });
  await rename(first, 'Ripe');
  await rename('Ripe', 'Riper');
  const found = async (name: string) =>
    (await ask(`/products?${new URLSearchParams({ category: name })}`)).json;
  expect(await found(first)).toEqual(await found('Riper'));
  expect(await found('Riper')).not.toMatchObject({ count: 0 });
  const used = (await storedProducts(db)).flatMap(({ product }) => [
    product.category,
    product.parentCategory,
  ]);
  expect(used).not.toContain(first);
  expect((await requireProduct(db, PINEAPPLE)).product.parentCategory).toBe('Riper');
  const { moved } = await requireStore(db);
  expect(moved?.categories).toEqual({ [first.toLowerCase()]: 'Riper', ripe: 'Riper' });
  await rename('Riper', first);
  expect((await requireStore(db)).moved?.categories).toEqual({ ripe: first, riper: first });
});

test('refuses a form that is sent again with other content', async () => {
  const { editor, open, db } = await storeAdmin();
  const form = await open(STORE, STORE, { companyPhone: '+91 33333 33333' });
  expect((await editor.post(STORE, form)).status).toBe(303);
  // Back, another phone number, Save: the browser sends the same form key.
  const changed = new URLSearchParams(form);
  changed.set('companyPhone', '+91 44444 44444');
  const answer = await editor.post(STORE, changed);
  expectPage(answer, 409, 'What you typed now was not saved');
  const logo = await editor.post(STORE, await withPicture(form, 'companyLogoUrl.file'));
  expect(logo.status).toBe(409);
  expect((await editor.post(`${LIST}/remove`, form)).status).toBe(409);
  expect((await editor.post(STORE, form)).status).toBe(303);
  expect((await requireStore(db)).companyPhone).toBe('+91 33333 33333');
});

test('[spec 3.store.9] shows on the Store page how phones crop the picture of the home page', async () => {
  const { editor, open } = await storeAdmin();
  const fields = await open(STORE, STORE, { 'hero.focusX': '100', 'hero.focusY': '101' });
  const refused = await editor.post(STORE, await withPicture(fields, 'hero.picture.file'));
  expectPage(refused, 422, 'must be at most 100');
  const again = filledForm(refused.text, STORE);
  again.set('hero.focusY', '');
  expect((await editor.post(STORE, again)).status).toBe(303);
  const image = documentOf((await editor.get(STORE)).text).querySelector('img[alt="The part for phones"]');
  const address = image?.getAttribute('src') ?? '';
  expect(new URL(address, 'http://admin').searchParams.get('x')).toBe('100');
  const part = await editor.get(address);
  expect([part.status, part.headers.get('content-type')]).toEqual([200, 'image/webp']);
  expect((await editor.get(address.replace(/name=[^&]+/, 'name=none.webp'))).status).toBe(404);
});
