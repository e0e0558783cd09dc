import { expect, test } from 'vitest';
import { storedProducts } from '#scripts/api/catalogue/stored-products.ts';
import { documentOf, mainText, officeApi } from '#tests/api/support/office.ts';
import { anyRow } from '#tests/api/support/rows.ts';

const SORT = '/office/catalogue/sort';

async function sortOffice() {
  const api = await officeApi();
  const editor = await api.staff('editor');
  const order = async () => (await storedProducts(api.db)).map(({ product }) => product.id);
  const press = (button: string, fields: Record<string, string> = {}, page = SORT) =>
    editor.submit(page, SORT, { do: button, ...fields });
  return { ...api, editor, order, press };
}

test('a product is moved up, down, and to a position that is typed', async () => {
  const { order, press, db, editor } = await sortOffice();
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
  const log = await db.all(
    anyRow,
    "SELECT target_id AS id, from_json AS before, to_json AS after FROM office_log WHERE action = 'moved' ORDER BY number",
  );
  expect(log[0]).toEqual({ id: third, before: '{"position":3}', after: '{"position":2}' });
});

test('in a filtered list, up and down mean the neighbours that are shown', async () => {
  const { order, press, db } = await sortOffice();
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

test('a position that does not exist is refused beside its field, and stays typed', async () => {
  const { order, press } = await sortOffice();
  const before = await order();
  for (const position of ['0', String(before.length + 1), 'first', '-1', '1.5', '']) {
    const answer = await press('move', { 'to-1': position });
    expect(answer.status).toBe(422);
    const field = documentOf(answer.text).querySelector('#field-to-1');
    expect([field?.getAttribute('value'), field?.getAttribute('aria-invalid')]).toEqual([position, 'true']);
  }
  expect(await order()).toEqual(before);
});

test('what is no product or no button moves nothing', async () => {
  const { order, press, editor } = await sortOffice();
  const before = await order();
  for (const fields of [
    { 'id-0': 'none', 'to-0': '3' },
    { 'id-0': '__proto__', 'to-0': '3' },
    { do: 'up-99' },
    { do: 'up-0' },
  ]) {
    await press('move', fields);
  }
  expect(await order()).toEqual(before);
  expect((await editor.get(`${SORT}?page=99999&q=zzz`)).status).toBe(200);
});
