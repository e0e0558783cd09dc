import * as v from 'valibot';
import { expect, test } from 'vitest';
import { ProductAnswerSchema, ProductListSchema } from '#server/catalogue/schema.ts';
import { storedProduct } from '#server/catalogue/stored-products.ts';
import { adminApi, filledForm, mainText } from '#tests/server/support/admin.ts';
import { MANGO, PINEAPPLE } from '#tests/server/support/api.ts';

const MINUTE = 60_000;
const PRODUCT = `/admin/catalogue/products/${MANGO}`;
const PRICES = '/admin/catalogue/prices';

/** An admin at 15:30 in India, in which the mango is planned at ₹899 instead of ₹1,099 from 16:00 to 17:00. */
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

  /** The answer's body where it has changed since the last time, as a cache asks. */
  async function ask(path: string): Promise<unknown> {
    const { status, headers, json } = await api.ask(path, {
      headers: { 'If-None-Match': tags.get(path) ?? '' },
    });
    tags.set(path, headers.get('etag') ?? '');
    return status === 304 ? 'unchanged' : json;
  }

  /** What customers pay and what is struck out, by each way in which the API tells it, and what an order charges. */
  async function prices() {
    const { data: one } = v.parse(ProductAnswerSchema, (await api.ask(`/products/${MANGO}`)).json);
    const { data: list } = v.parse(ProductListSchema, (await api.ask('/products')).json);
    const order = await api.placeOrder(token, { [MANGO]: 1 });
    expect(list.find(({ id }) => id === MANGO)).toEqual(one);
    expect(order.items[0]?.price).toBe(one.discountedPrice ?? one.regularPrice);
    return [one.regularPrice, one.discountedPrice];
  }
  return { ...api, editor, ask, prices };
}

test('the prices of lists, products and orders are those of the clock, before, in and after a planned sale', async () => {
  const { ask, prices, pass } = await plannedSale();
  expect(await prices()).toEqual([1_099, null]);
  await ask('/products');
  pass(30 * MINUTE - 1);
  expect([await prices(), await ask('/products')]).toEqual([[1_099, null], 'unchanged']);
  pass(1);
  expect(await ask('/products')).not.toBe('unchanged');
  expect(await prices()).toEqual([1_099, 899]);
  pass(60 * MINUTE - 1);
  expect([await prices(), await ask('/products')]).toEqual([[1_099, 899], 'unchanged']);
  pass(1);
  expect(await ask('/products')).not.toBe('unchanged');
  expect(await prices()).toEqual([1_099, null]);
});

test('the store record tells when planned prices last changed, and a product never tells what is planned', async () => {
  const { ask, pass } = await plannedSale();
  expect(await ask('/storeInfo')).not.toHaveProperty('pricesSince');
  pass(30 * MINUTE);
  expect(await ask('/storeInfo')).toMatchObject({ pricesSince: '2026-01-05T10:30:00.000Z' });
  pass(60 * MINUTE);
  expect(await ask('/storeInfo')).toMatchObject({ pricesSince: '2026-01-05T11:30:00.000Z' });
  expect(JSON.stringify(await ask(`/products/${MANGO}`))).not.toMatch(/sale(?:From|Until)/);
});

test('the admin lists what is on sale and what comes, and shows the moments in Indian time', async () => {
  const { editor, pass } = await plannedSale();
  const sales = async () => mainText((await editor.get('/admin/catalogue/sales')).text);
  expect(await sales()).toMatch(
    /To come: 1, On sale now: 2, Over: 0.*To come.*Alphonso Mango.*5 Jan 2026, 4:00 pm/,
  );
  pass(30 * MINUTE);
  expect(await sales()).toMatch(/To come: 0, On sale now: 3.*Alphonso Mango.*5:00 pm/);
  pass(60 * MINUTE);
  expect(await sales()).toMatch(/Over: 1.*Alphonso Mango/);
  expect((await editor.get(PRODUCT)).text).toContain('value="2026-01-05T17:00"');
});

test.each([
  [{ saleUntil: '2026-01-05T15:00' }, 'Sale until must be after the begin of the sale'],
  [{ saleUntil: '2026-02-31T15:00' }, 'Sale until must be a day and a time such as 2026-11-25 18:00'],
  [{ discountedPrice: '' }, 'must be given for a sale that begins or ends'],
])('a sale that cannot be is refused and nothing typed is lost: %j', async (fields, mistake) => {
  const { editor, db } = await plannedSale();
  const refused = await editor.submit(PRODUCT, PRODUCT, { do: 'save', ...fields });
  expect([refused.status, mainText(refused.text)]).toEqual([422, expect.stringContaining(mistake)]);
  expect(refused.text).toContain(`value="${Object.values(fields)[0]}"`);
  expect((await storedProduct(db, MANGO))?.product).toMatchObject({ saleUntil: '2026-01-05T17:00+05:30' });
});

test('a file of prices plans sales for many products; one without these columns leaves the moments as they are', async () => {
  const { editor, db } = await plannedSale();
  const moments = async (id: string) => {
    const { saleFrom, saleUntil } = (await storedProduct(db, id))?.product ?? {};
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
