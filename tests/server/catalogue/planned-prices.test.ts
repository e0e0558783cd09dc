import * as v from 'valibot';
import { expect, test } from 'vitest';
import { ProductAnswerSchema, ProductListSchema } from '#server/catalogue/schema.ts';
import { requireProduct } from '#server/catalogue/stored-products.ts';
import { MINUTE } from '#server/process/clock.ts';
import { adminApi, expectPage, filledForm, mainText } from '#tests/server/support/admin.ts';
import { MANGO, PINEAPPLE } from '#tests/server/support/api.ts';

const PRODUCT = `/admin/catalogue/products/${MANGO}`;
const PRICES = '/admin/catalogue/prices';

/** It is 15:30 in India. The mango is on sale from 16:00 to 17:00, at ₹899 instead of ₹1,099. */
async function plannedSale() {
  const api = await adminApi();
  const editor = await api.staff('editor');
  const planned = await editor.submit(PRODUCT, PRODUCT, {
    do: 'save',
    saleFrom: '2026-01-05T16:00',
    saleUntil: '2026-01-05T17:00',
  });
  expect(planned.status).toBe(303);
  const { token } = await api.customer();
  const tags = new Map<string, string>();

  /** Returns the body, or 'unchanged' for a cached answer. */
  async function get(path: string): Promise<unknown> {
    const { status, headers, json } = await api.ask(path, {
      headers: { 'If-None-Match': tags.get(path) ?? '' },
    });
    tags.set(path, headers.get('etag') ?? '');
    return status === 304 ? 'unchanged' : json;
  }

  /** Returns the regular and the discounted price, which must be the same in products, lists and orders. */
  async function prices() {
    const { data: one } = v.parse(ProductAnswerSchema, (await api.ask(`/products/${MANGO}`)).json);
    const { data: list } = v.parse(ProductListSchema, (await api.ask('/products')).json);
    const order = await api.placeOrder(token, { [MANGO]: 1 });
    expect(list.find(({ id }) => id === MANGO)).toEqual(one);
    expect(order.items[0]?.price).toBe(one.discountedPrice ?? one.regularPrice);
    return [one.regularPrice, one.discountedPrice];
  }
  return { ...api, editor, get, prices };
}

test('changes the prices of lists, products and orders when a planned sale begins and ends', async () => {
  const { get, prices, pass } = await plannedSale();
  expect(await prices()).toEqual([1_099, null]);
  await get('/products');
  for (const [minutes, before, after] of [
    [30, null, 899],
    [60, 899, null],
  ] as const) {
    pass(minutes * MINUTE - 1);
    expect([await prices(), await get('/products')]).toEqual([[1_099, before], 'unchanged']);
    pass(1);
    expect(await get('/products')).not.toBe('unchanged');
    expect(await prices()).toEqual([1_099, after]);
  }
});

test('says in the store record when planned prices last changed, but never what is planned', async () => {
  const { get, pass } = await plannedSale();
  expect(await get('/storeInfo')).not.toHaveProperty('pricesSince');
  pass(30 * MINUTE);
  expect(await get('/storeInfo')).toMatchObject({ pricesSince: '2026-01-05T10:30:00.000Z' });
  pass(60 * MINUTE);
  expect(await get('/storeInfo')).toMatchObject({ pricesSince: '2026-01-05T11:30:00.000Z' });
  expect(JSON.stringify(await get(`/products/${MANGO}`))).not.toMatch(/sale(?:From|Until)/);
});

test('lists current and planned sales in the admin, in Indian time', async () => {
  const { editor, pass } = await plannedSale();
  const listed = async (status: string) =>
    mainText((await editor.get(`/admin/catalogue?status=${status}`)).text);
  expect(await listed('planned')).toMatch(/of 1,.*Alphonso Mango.*from 5 Jan 2026, 4:00 pm/);
  expect(await listed('now')).toContain('of 2,');
  pass(30 * MINUTE);
  expect(await listed('planned')).toContain('No product matches.');
  expect(await listed('now')).toMatch(/of 3,.*Alphonso Mango.*5:00 pm/);
  pass(60 * MINUTE);
  expect(await listed('over')).toMatch(/of 1,.*Alphonso Mango/);
  expect((await editor.get(PRODUCT)).text).toContain('value="2026-01-05T17:00"');
});

test.each([
  [{ saleUntil: '2026-01-05T15:00' }, 'Sale until must be after the beginning of the sale'],
  [{ saleUntil: '2026-02-31T15:00' }, 'Sale until must be a day and a time such as 2026-11-25 18:00'],
  [{ discountedPrice: '' }, 'must be given for a sale that begins or ends'],
])('refuses invalid sale times, and keeps what was typed: %j', async (fields, error) => {
  const { editor, db } = await plannedSale();
  const refused = await editor.submit(PRODUCT, PRODUCT, { do: 'save', ...fields });
  expectPage(refused, 422, error);
  expect(refused.text).toContain(`value="${Object.values(fields)[0]}"`);
  expect((await requireProduct(db, MANGO)).product).toMatchObject({ saleUntil: '2026-01-05T17:00+05:30' });
});

test('refuses a new price for a sale that is over, in the form and by CSV, and takes all else', async () => {
  const { editor, pass } = await plannedSale();
  pass(120 * MINUTE);
  const save = (fields: Record<string, string>) => editor.submit(PRODUCT, PRODUCT, { do: 'save', ...fields });
  expectPage(
    await save({ discountedPrice: '70' }),
    422,
    'Sale until is over, so this sale price would not count',
  );
  expect((await save({ regularPrice: '1200' })).status).toBe(303);
  const upload = (text: string) => editor.upload(PRICES, new File([text], 'prices.csv'));
  const row = `id,regular price,sale price\n${MANGO},1200`;
  expectPage(await upload(`${row},70\n`), 422, 'The sale ended on 2026-01-05 17:00');
  expectPage(await upload(`${row},899\n`), 200, 'No price or stock in the file differs');
  const open = 'id,regular price,sale price,sale until\n';
  expectPage(await upload(`${open}${MANGO},1200,70,\n`), 200, '1 product would change');
});

test('plans sales for many products by CSV, and keeps their times without these columns', async () => {
  const { editor, db } = await plannedSale();
  const moments = async (id: string) => {
    const { saleFrom, saleUntil } = (await requireProduct(db, id)).product;
    return [saleFrom, saleUntil];
  };
  const set = async (text: string) => {
    const shown = await editor.upload(PRICES, new File([text], 'prices.csv'));
    return editor.post(`${PRICES}/set`, filledForm(shown.text, `${PRICES}/set`));
  };
  const { text } = await editor.get(`${PRICES}.csv`);
  expect(text).toContain(
    '"mango","Alphonso Mango, box of 6","1099","899","2026-01-05 16:00","2026-01-05 17:00"',
  );
  await set(`id,regular price,sale price\n${MANGO},1099,849\n`);
  expect(await moments(MANGO)).toEqual(['2026-01-05T16:00+05:30', '2026-01-05T17:00+05:30']);
  await set(
    `id,regular price,sale price,sale from,sale until\n${MANGO},1099,849,,06-01-2026 9:30\n${PINEAPPLE},99.50,89,2026-01-07 00:00,\n`,
  );
  expect(await moments(MANGO)).toEqual([undefined, '2026-01-06T09:30+05:30']);
  expect(await moments(PINEAPPLE)).toEqual(['2026-01-07T00:00+05:30', undefined]);
  await set(`id,regular price,sale price\n${MANGO},1099,\n`);
  expect(await moments(MANGO)).toEqual([undefined, undefined]);
});
