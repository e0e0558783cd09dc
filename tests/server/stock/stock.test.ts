import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it, onTestFinished } from 'vitest';
import { saveProduct } from '#server/catalogue/products/edit-products.ts';
import { requireProduct } from '#server/catalogue/stored-products.ts';
import { openDatabase } from '#server/db/open-database.ts';
import { expireOrders } from '#server/fulfilment/expire.ts';
import { RETURNS } from '#server/fulfilment/returns/stored-returns.ts';
import { HOUR } from '#server/process/clock.ts';
import { editStock } from '#server/stock/stored-stock.ts';
import { documentOf, expectPage, filledForm, mainText, tableRows } from '#tests/server/support/admin.ts';
import { packing } from '#tests/server/support/admin-orders.ts';
import { ADDRESS, MANGO, PINEAPPLE, type TestApi, testApi, withCustomer } from '#tests/server/support/api.ts';
import { storedDatabase } from '#tests/server/support/databases.ts';
import { rowsOf, valuesOf } from '#tests/server/support/rows.ts';
import { UNLIMITED } from '#tests/support/api.ts';

/** A product with sizes. */
const KURTA = 'kurta';

type Api = Pick<TestApi, 'db' | 'ask'>;

const setStock = ({ db }: Pick<Api, 'db'>, pieces: Record<string, number>, id = MANGO) =>
  db.write((transaction) => editStock(transaction, id, { now: new Map(Object.entries(pieces)) }));

const setTerms = async ({ db }: Pick<Api, 'db'>, terms: object, id = MANGO) => {
  const { product } = await requireProduct(db, id);
  expect(
    await db.write((transaction) => saveProduct(transaction, id, { ...product, ...terms })),
  ).toHaveProperty('product');
};

/** The stored pieces by size. */
const stock = async ({ db }: Pick<Api, 'db'>, id = MANGO): Promise<Record<string, number>> => {
  const rows = await rowsOf(db, 'SELECT size, pieces FROM stock WHERE product_id = ? ORDER BY size', id);
  return Object.fromEntries(rows.map(({ size, pieces }) => [String(size), Number(pieces)]));
};

const ProductSchema = v.object({ data: v.looseObject({ availability: v.string() }) });

const RefusalSchema = v.object({ code: v.optional(v.string()), error: v.optional(v.string()) });

const ListSchema = v.object({ data: v.array(v.looseObject({ id: v.string() })) });

async function wireOf({ ask }: Api, id = MANGO) {
  const { data, etag } = await ask(`/products/${id}`).then(({ json, headers }) => ({
    ...v.parse(ProductSchema, json),
    etag: headers.get('etag'),
  }));
  const list = await ask('/products?limit=100');
  const listed =
    v.parse(ListSchema, list.json).data.find((each) => each.id === id) ?? expect.fail(`no ${id}`);
  const said = ({ availability, left, sizes, backOn, minPerOrder, maxPerOrder }: Record<string, unknown>) =>
    JSON.parse(JSON.stringify({ availability, left, sizes, backOn, minPerOrder, maxPerOrder }));
  return { alone: said(data), listed: said(listed), etag, listEtag: list.headers.get('etag') };
}

const line = (size: string, quantity: number, id = KURTA) => ({ id, quantity, selectedSize: size });

async function shopOf() {
  const { token, ...api } = await withCustomer(testApi({ settings: UNLIMITED }));
  /** Returns the status and the code of the refusal. */
  async function order(quantity: number, lines?: ReturnType<typeof line>[], language = 'en') {
    const more = { language, ...(lines && { lines }) };
    const { status, json } = await api.order(token, { [lines?.[0]?.id ?? MANGO]: quantity }, more);
    return [status, v.parse(RefusalSchema, json)] as const;
  }
  return { ...api, token, order };
}

it('sells 12 pieces to 40 orders at once over two connections, and no more', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stock-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const address = await storedDatabase(join(folder, 'shop.sqlite'));
  const open = async () => {
    const db = await openDatabase(address);
    onTestFinished(() => db.close());
    return testApi({ db, settings: UNLIMITED });
  };
  const [one, other] = [await open(), await open()];
  await setStock(one, { '': 12 });
  const { token } = await one.customer();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      (index % 2 ? one : other).order(token, { [MANGO]: 1, [PINEAPPLE]: 1 }),
    ),
  );
  const statuses = answers.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([...Array<number>(12).fill(201), ...Array<number>(28).fill(422)]);
  expect(await stock(one)).toEqual({ '': 0 });
  expect(await rowsOf(one.db, 'SELECT count(*) AS count FROM held_stock')).toEqual([{ count: 12 }]);
  expect(answers.find(({ status }) => status === 422)?.json).toMatchObject({
    code: 'sold_out',
    target: MANGO,
  });
});

describe('the rules of a line', () => {
  it('are those of the shop, with its sentences, over all lines of a product', async () => {
    const shop = await shopOf();
    await setStock(shop, { '': 7 });
    expect(await shop.order(8)).toMatchObject([422, { code: 'not_enough_left' }]);
    expect(await shop.order(3, [line('', 1, MANGO), line('', 2, MANGO)])).toMatchObject([201, {}]);
    expect(await shop.order(5)).toMatchObject([
      422,
      { code: 'few_left', error: '“Alphonso Mango, box of 6”: only 4 left.' },
    ]);
    expect(await shop.order(5, undefined, 'hi')).toMatchObject([
      422,
      { error: expect.stringContaining('सिर्फ़ 4') },
    ]);
    expect(await shop.order(6, [line('', 3, MANGO), line('', 3, MANGO)])).toMatchObject([
      422,
      { code: 'few_left' },
    ]);
    await setTerms(shop, { maxPerOrder: 3, minPerOrder: 2 });
    expect(await shop.order(4)).toMatchObject([422, { code: 'over_maximum' }]);
    expect(await shop.order(1)).toMatchObject([422, { code: 'below_minimum' }]);
    await setTerms(shop, { backOn: '2026-01-06' });
    expect(await shop.order(2)).toMatchObject([
      422,
      { code: 'back_on', error: expect.stringContaining('6 January 2026') },
    ]);
    expect(await wireOf(shop)).toMatchObject({
      alone: { availability: 'back_on', backOn: '2026-01-06' },
      listed: { availability: 'back_on' },
    });
    shop.pass(24 * HOUR);
    expect(await wireOf(shop)).toMatchObject({ alone: { availability: 'few_left', left: 4 } });
    expect(await shop.order(2)).toMatchObject([201, {}]);
  });

  it('count each size, and take from the largest where an order names none', async () => {
    const shop = await shopOf();
    await setStock(shop, { S: 0, M: 2, L: 9 }, KURTA);
    expect(await shop.order(1, [line('S', 1)])).toMatchObject([
      422,
      { code: 'sold_out', error: '“Khadi Kurta, S” is sold out.' },
    ]);
    expect(await shop.order(3, [line('M', 3)])).toMatchObject([422, { code: 'few_left' }]);
    expect(await wireOf(shop, KURTA)).toMatchObject({
      alone: {
        availability: 'in_stock',
        sizes: [
          { size: 'S', availability: 'sold_out', left: 0 },
          { size: 'M', availability: 'few_left', left: 2 },
          { size: 'L', availability: 'in_stock' },
        ],
      },
      listed: {
        availability: 'in_stock',
        sizes: [
          { size: 'S', availability: 'sold_out' },
          { size: 'M', availability: 'in_stock' },
          { size: 'L', availability: 'in_stock' },
        ],
      },
    });
    expect(await shop.order(3, [line('M', 1), line('L', 2)])).toMatchObject([201, {}]);
    expect(await stock(shop, KURTA)).toEqual({ S: 0, M: 1, L: 7 });
    const { status } = await shop.ask('/orders', {
      token: shop.token,
      json: { products: { [KURTA]: 8 }, shippingAddress: ADDRESS },
    });
    expect([status, await stock(shop, KURTA)]).toEqual([201, { S: 0, M: 0, L: 0 }]);
  });

  it('sell nothing of a product of which fewer are left than an order must have', async () => {
    const shop = await shopOf();
    const soldOut = { alone: { availability: 'sold_out' }, listed: { availability: 'sold_out' } };
    await setStock(shop, { '': 20 });
    await setTerms(shop, { minPerOrder: 12 });
    expect(await wireOf(shop)).toMatchObject({ listed: { availability: 'in_stock' } });
    expect(await shop.order(12)).toMatchObject([201, {}]);
    shop.pass(2_000);
    expect(await wireOf(shop)).toMatchObject(soldOut);
    expect(await shop.order(12)).toMatchObject([422, { code: 'sold_out' }]);
  });

  it('sell nothing of a size that is not counted while others are', async () => {
    const shop = await shopOf();
    await setStock(shop, { S: 1, M: 2 }, KURTA);
    expect(await shop.order(1, [line('L', 1)])).toMatchObject([422, { code: 'sold_out' }]);
    await setStock(shop, { Small: 3 }, KURTA);
    expect(await wireOf(shop, KURTA)).toMatchObject({ listed: { availability: 'sold_out' } });
  });
});

it('changes what lists say, and so the version of the catalogue, only with the last piece and the first', async () => {
  const shop = await shopOf();
  await setStock(shop, { '': 6 });
  const full = await wireOf(shop);
  const { headers } = await shop.ask('/storeInfo');
  expect(full).toMatchObject({ alone: { availability: 'in_stock' }, listed: { availability: 'in_stock' } });
  await shop.order(5);
  shop.pass(2_000);
  const last = await wireOf(shop);
  expect(last).toMatchObject({
    alone: { availability: 'few_left', left: 1 },
    listed: { availability: 'in_stock' },
  });
  expect([last.listEtag, (await shop.ask('/storeInfo')).headers.get('etag')]).toEqual([
    full.listEtag,
    headers.get('etag'),
  ]);
  expect(last.etag).not.toBe(full.etag);
  await shop.order(1);
  shop.pass(2_000);
  const none = await wireOf(shop);
  expect(none).toMatchObject({
    alone: { availability: 'sold_out', left: 0 },
    listed: { availability: 'sold_out' },
  });
  expect(none.listEtag).not.toBe(full.listEtag);
});

describe('what an order holds comes back once', () => {
  async function shopWithStock(pieces = 5) {
    const shop = await packing(UNLIMITED);
    await setStock(shop, { '': pieces });
    const cancel = (id: string) => shop.ask(`/orders/${id}/cancel`, { token: shop.token, json: {} });
    return { ...shop, cancel };
  }

  it('when customer and staff cancel at once, and not again when it expires', async () => {
    const shop = await shopWithStock();
    const id = await shop.place();
    expect(await stock(shop)).toEqual({ '': 3 });
    await Promise.all([shop.cancel(id), shop.sendOf(id, 'cancel'), shop.cancel(id)]);
    expect(await stock(shop)).toEqual({ '': 5 });
    await shop.place();
    await shop.passWatched(48 * HOUR);
    await Promise.all([expireOrders(shop.services), expireOrders(shop.services)]);
    expect(await stock(shop)).toEqual({ '': 5 });
  });

  it('where its product is counted now, and not what was missing', async () => {
    const shop = await shopWithStock();
    await setStock(shop, { '': 10 }, KURTA);
    const place = async () => {
      const lines = [line('M', 2)];
      return (await shop.placeOrder(shop.token, { [KURTA]: 2 }, { lines })).id;
    };
    const [first, second] = [await place(), await place()];
    await setStock(shop, { S: 1, M: 2, L: 3 }, KURTA);
    await shop.cancel(first);
    expect(await stock(shop, KURTA)).toEqual({ S: 1, M: 4, L: 3 });
    await setStock(shop, { '': 8 }, KURTA);
    await shop.sendOf(second, 'lower', { 'line.0': '1', reason: 'A kurta was missing.' });
    await shop.cancel(second);
    expect(await stock(shop, KURTA)).toEqual({ '': 9 });
  });

  it('when it came back and the goods can be sold, and is taken again with the step', async () => {
    const shop = await shopWithStock();
    const [id, broken] = [await shop.place(), await shop.place()];
    for (const each of [id, broken]) {
      await shop.pay(each);
      await shop.pressOf(each, 'ship');
    }
    await shop.sendOf(broken, 'returned-to-origin', { why: 'damaged', backOnSale: [] });
    expect(await stock(shop)).toEqual({ '': 1 });
    await shop.sendOf(id, 'returned-to-origin', { why: 'refused' });
    expect(await stock(shop)).toEqual({ '': 3 });
    await shop.sendOf(id, 'take-back', { reason: 'Another parcel.' });
    expect(await stock(shop)).toEqual({ '': 1 });
    await shop.sendOf(id, 'returned-to-origin', { why: 'refused' });
    await shop.place();
    expectPage(await shop.sendOf(id, 'take-back', { reason: 'Oops' }), 409, 'was sold meanwhile');
    expect(await stock(shop)).toEqual({ '': 1 });
  });

  it('when a return arrives and staff tick that it is back on sale', async () => {
    const shop = await shopWithStock();
    const id = await shop.place();
    await shop.pay(id);
    await shop.pressOf(id, 'ship');
    await shop.pressOf(id, 'deliver');
    const json = { reason: 'Too many.', lines: [{ line: '0', quantity: 1 }] };
    await shop.ask(`/orders/${id}/returns`, { token: shop.token, json });
    const [path = ''] = /\/admin\/orders\/returns\/[^"]+/.exec((await shop.owner.get(RETURNS)).text) ?? [];
    await shop.owner.submit(path, `${path}/answer`, { decision: 'accepted', answer: 'Send it.' });
    await shop.owner.submit(path, `${path}/received`, { backOnSale: 'on' });
    expect(await stock(shop)).toEqual({ '': 4 });
  });
});

describe('the form of a product', () => {
  const PAGE = `/admin/catalogue/products/${MANGO}`;

  it('changes the stock by what was typed, not by what was sold meanwhile', async () => {
    const shop = await packing(UNLIMITED);
    await setStock(shop, { '': 12 });
    const [{ text }, older] = [await shop.owner.get(PAGE), await shop.owner.get(PAGE)];
    await shop.place();
    const save = async (fields: Record<string, string>) =>
      (await shop.owner.post(PAGE, filledForm(text, PAGE, fields))).status;
    expect([await save({ title: 'Mangoes', low: '3' }), await stock(shop)]).toEqual([303, { '': 10 }]);
    const late = await shop.owner.post(PAGE, filledForm(older.text, PAGE, { low: '4' }));
    expectPage(late, 409, 'Few are left');
  });

  it('refuses a stock that does not fit the sizes, and shows what was typed', async () => {
    const shop = await packing(UNLIMITED);
    const page = `/admin/catalogue/products/${KURTA}`;
    const save = (stockText: string) => shop.owner.submit(page, page, { stock: stockText });
    expectPage(await save('S: 5\nXXL: 3'), 422, 'Stock names XXL, which is not one of the sizes');
    expectPage(await save('S: 5\nM: 3'), 422, 'Stock lacks L: write 0 if it is sold out');
    expectPage(await save('some'), 422, 'Stock must be a whole number');
    expect((await save('s: 5; M: 3; L: 0')).status).toBe(303);
    expect(await stock(shop, KURTA)).toEqual({ S: 5, M: 3, L: 0 });
    expect((await save('20')).status).toBe(303);
    expect(await stock(shop, KURTA)).toEqual({ '': 20 });
    expect((await save('')).status).toBe(303);
    expect(await stock(shop, KURTA)).toEqual({});
  });
});

describe('the price file', () => {
  const PRICES = '/admin/catalogue/prices';

  it('changes the stock by the difference to its download, and a plain list sets it', async () => {
    const shop = await packing(UNLIMITED);
    await setStock(shop, { '': 12 });
    const { text } = await shop.owner.get(`${PRICES}.csv`);
    await shop.place();
    const use = async (file: string) => {
      const shown = await shop.owner.upload(PRICES, new File([file], 'prices.csv'));
      const cells = tableRows(shown.text).flat();
      if (cells.length > 0) await shop.owner.post(`${PRICES}/set`, filledForm(shown.text, `${PRICES}/set`));
      return cells;
    };
    const typed = (pieces: string) => text.replace('"12","12"', `"${pieces}","12"`);
    expect(await use(typed('15'))).toContain('12 → 15');
    expect(await stock(shop)).toEqual({ '': 13 });
    expect(await use(typed('15'))).toEqual([]);
    await use(typed('१६'));
    expect(await stock(shop)).toEqual({ '': 14 });
    const plain = `id,regular price,sale price,stock\n${MANGO},1099,899,20\n${PINEAPPLE},99.50,,\n`;
    expect(await use(plain)).toContain('set to 20, now 14');
    expect([await stock(shop), await stock(shop, PINEAPPLE)]).toEqual([{ '': 20 }, {}]);
    expect(await valuesOf(shop.db, "SELECT action FROM admin_log WHERE target_type = 'product'")).toEqual([
      ...Array<string>(3).fill('changed the stock'),
    ]);
  });
});

it('is a task of the staff where no more are left than the mark of the product', async () => {
  const shop = await packing(UNLIMITED);
  const page = `/admin/catalogue/products/${MANGO}`;
  await shop.owner.submit(page, page, { stock: '4', low: '2' });
  const task = async () => mainText((await shop.owner.get('/admin')).text).includes('1 product low in stock');
  expect(await task()).toBe(false);
  await shop.place();
  expect(await task()).toBe(true);
  const listed = documentOf((await shop.owner.get('/admin/catalogue?status=low')).text).querySelectorAll(
    'main li a',
  );
  expect([...listed].map(({ textContent }) => textContent)).toEqual(['Alphonso Mango, box of 6']);
});
