import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { importCatalogue } from '#scripts/api/catalogue/folder/import.ts';
import { OrderListSchema, OrderSchema } from '#scripts/api/orders/schema.ts';
import { randomIds } from '#scripts/api/shop/ids.ts';
import { ADDRESS, catalogue, MANGO, PINEAPPLE, testApi } from '#tests/api/support/api.ts';
import { bitsThatVary } from '#tests/api/support/bits.ts';
import { countRow } from '#tests/api/support/rows.ts';
import { limitOf } from '#tests/support/limits.ts';

type Api = Awaited<ReturnType<typeof testApi>>;
const rows = async ({ db }: Api): Promise<number | undefined> =>
  (await db.get(countRow, 'SELECT count(*) AS count FROM orders'))?.count;

/** A product with sizes, and without colours. */
const KURTA = 'kurta';

describe('POST /orders', () => {
  it('[spec 7.orders.3, 7.orders.4] prices the order from the catalogue, in exact rupees', async () => {
    const api = await testApi();
    const { token } = await api.customer();
    const { status, json } = await api.order(token, { [MANGO]: 2, [PINEAPPLE]: 1 });
    const order = v.parse(OrderSchema, json);
    expect(status).toBe(201);
    expect(order).toEqual({
      id: order.id,
      status: 0,
      createdAt: '2026-01-05T10:00:00.000Z',
      items: [
        { id: MANGO, productTitle: 'Alphonso Mango, box of 6', quantity: 2, price: 899 },
        { id: PINEAPPLE, productTitle: 'Vazhakulam Pineapple', quantity: 1, price: 99.5 },
      ],
      shippingAddress: ADDRESS,
      amounts: [
        { name: 'Subtotal', amount: 1897.5 },
        { name: 'Shipping', amount: 0 },
      ],
      total: 1897.5,
    });
  });

  it('[fault 71] order numbers are random: version 4 UUIDs, 122 bits', async () => {
    const api = await testApi();
    const { token } = await api.customer();
    const { id } = v.parse(OrderSchema, (await api.order(token)).json);
    const numbers = [id, ...Array.from({ length: 1_000 }, () => randomIds.order())];
    for (const number of numbers) {
      expect(number).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    }
    const bytes = numbers.map((number) => Buffer.from(number.replaceAll('-', ''), 'hex'));
    expect(bitsThatVary(bytes)).toBe(122);
  });

  it('[fault 73] prices, totals, status, owner and number in the body are ignored', async () => {
    const api = await testApi();
    const { token } = await api.customer();
    const extra = { price: 1, total: 1, status: 3, userId: 'x', id: 'mine', role: 'admin', items: [] };
    const { json } = await api.order(token, { [MANGO]: 1 }, extra);
    const ignored = { id: expect.not.stringMatching('mine'), total: 899, status: 0 };
    expect(json).toMatchObject(ignored);
    expect((await api.ask('/orders', { token })).json).toMatchObject({ data: [ignored] });
  });

  const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`p${index}`, 1]));
  it.each([
    ['no products', {}, 'products_missing', 'products'],
    ['[fault 34] 101 products', many, 'too_many_products', 'products'],
    ['an unknown product', { nothing: 1 }, 'product_unknown', 'nothing'],
    ['quantity 0', { [MANGO]: 0 }, 'quantity_invalid', MANGO],
    ['quantity -1', { [MANGO]: -1 }, 'quantity_invalid', MANGO],
    ['quantity 1.5', { [MANGO]: 1.5 }, 'quantity_invalid', MANGO],
    ['quantity 10000', { [MANGO]: 10_000 }, 'quantity_invalid', MANGO],
    ['quantity 1e9', { [MANGO]: 1e9 }, 'quantity_invalid', MANGO],
    ['quantity "2"', { [MANGO]: '2' }, 'quantity_invalid', MANGO],
    ['quantity null', { [MANGO]: null }, 'quantity_invalid', MANGO],
    ['one good and one bad', { [MANGO]: 1, nothing: 1 }, 'product_unknown', 'nothing'],
  ])('[fault 68, 69, 80] %s is a 422 that says what, and no row', async (_name, products, code, target) => {
    const api = await testApi();
    const { token } = await api.customer();
    const { status, json } = await api.order(token, products);
    expect([status, json]).toEqual([
      422,
      { error: expect.any(String), code, message: expect.any(String), target },
    ]);
    expect(await rows(api)).toBe(0);
  });

  it.each(['[]', 'null', '7', '"x"', '{}', '{"products":[]}', '{"products":null}', '{"products":"x"}'])(
    '[fault 80] the body %s is a 422',
    async (body) => {
      const api = await testApi();
      const { token } = await api.customer();
      const answer = await api.ask('/orders', {
        token,
        body,
        headers: { 'Content-Type': 'application/json' },
      });
      expect([answer.status, await rows(api)]).toEqual([422, 0]);
    },
  );

  it.each([
    ['__proto__', 'name_reserved'],
    ['constructor', 'name_reserved'],
    ['prototype', 'name_reserved'],
    ['toString', 'product_unknown'],
  ])('[fault 57] a product called %s is refused as %s, not passed over', async (name, code) => {
    const api = await testApi();
    const { token } = await api.customer();
    const body = `{"products":{"${MANGO}":1,"${name}":1},"shippingAddress":${JSON.stringify(ADDRESS)}}`;
    const answer = await api.ask('/orders', {
      token,
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(answer.json).toMatchObject({ code, target: name });
  });

  it.each([
    ['blank', { city: '  ' }, 'city'],
    ['missing', { phone: undefined }, 'phone'],
    ['a number', { postalCode: 411001 }, 'postalCode'],
    ['10 KB', { address: 'x'.repeat(10_240) }, 'address'],
    ['a zero byte', { fullName: 'A\u0000B' }, 'fullName'],
    ['a line break', { address: 'a\nb' }, 'address'],
    ['a line separator', { state: 'a\u2028b' }, 'state'],
    ['half a surrogate', { city: '\ud83c' }, 'city'],
  ])('[fault 80] an address with a field that is %s is a 422 that names it', async (_name, wrong, target) => {
    const api = await testApi();
    const { token } = await api.customer();
    const shippingAddress = { ...ADDRESS, ...wrong };
    const { status, json } = await api.order(token, { [MANGO]: 1 }, { shippingAddress });
    expect(status).toBe(422);
    expect(json).toMatchObject({ code: 'address_invalid', target });
    expect(await rows(api)).toBe(0);
  });

  it('an address is stored trimmed, in any script', async () => {
    const api = await testApi();
    const { token } = await api.customer();
    const shippingAddress = { ...ADDRESS, fullName: '  आशा राव 🍎 ' };
    const { json } = await api.order(token, { [MANGO]: 1 }, { shippingAddress });
    expect(json).toMatchObject({ shippingAddress: { fullName: 'आशा राव 🍎' } });
  });

  it('[fault 69] a total past 2^53 paise is a 422, never a wrap', async () => {
    const [first] = catalogue.products;
    if (!first) throw new Error('The catalogue is empty');
    const gold = { ...first, regularPrice: 10_000_000_000, discountedPrice: null };
    const api = await testApi({ catalogue: { ...catalogue, products: [gold] } });
    const { token } = await api.customer();
    expect((await api.order(token, { [MANGO]: 9_999 })).json).toMatchObject({ code: 'total_too_large' });
    expect((await api.order(token, { [MANGO]: 9_007 })).json).toMatchObject({ total: 90_070_000_000_000 });
  });

  it('[fault 67, 68] sells at the new price, and no longer what is gone, but keeps what was ordered', async () => {
    const api = await testApi();
    const { token } = await api.customer();
    await api.order(token, { [MANGO]: 1, [PINEAPPLE]: 1 });
    const [mango, , ...others] = catalogue.products;
    if (!mango) throw new Error('The catalogue is empty');
    const products = [{ ...mango, title: 'Mango', discountedPrice: 950.5 }, ...others];
    await importCatalogue(api.db, { ...catalogue, products });
    api.pass(1_000);

    expect((await api.order(token, { [MANGO]: 2 })).json).toMatchObject({ total: 1901 });
    const gone = await api.order(token, { [MANGO]: 2, [PINEAPPLE]: 1 });
    expect([gone.status, gone.json]).toMatchObject([422, { code: 'product_gone', target: PINEAPPLE }]);
    expect((await api.ask(`/products/${PINEAPPLE}`)).status).toBe(404);
    const { data } = v.parse(OrderListSchema, (await api.ask('/orders', { token })).json);
    expect(data.map(({ total }) => total)).toEqual([1901, data[1]?.total]);
    expect(data[1]?.items.map(({ productTitle }) => productTitle)).toEqual([
      mango.title,
      catalogue.products[1]?.title,
    ]);
  });

  it('[resolutions 11] a product without a price cannot be ordered', async () => {
    const [first] = catalogue.products;
    if (!first) throw new Error('The catalogue is empty');
    const free = { ...first, regularPrice: 0, discountedPrice: null };
    const api = await testApi({ catalogue: { ...catalogue, products: [free] } });
    const { token } = await api.customer();
    expect((await api.order(token, { [MANGO]: 1 })).json).toMatchObject({ code: 'price_unavailable' });
  });

  it('[fault 103] takes only sizes and colours that the product has, and none where it has none', async () => {
    const api = await testApi();
    const { token } = await api.customer();
    const send = (id: string, selectedSize: string, selectedColor = '') =>
      api.order(token, { [id]: 1 }, { lines: [{ id, quantity: 1, selectedSize, selectedColor }] });
    const note = 'Leave this parcel at the blue gate';
    expect((await send(KURTA, note)).json).toMatchObject({ code: 'option_unknown', target: KURTA });
    expect(await rows(api)).toBe(0);
    expect((await send(KURTA, 'M', note)).status).toBe(201);
    expect((await send(MANGO, note, note)).status).toBe(201);
    const stored = await api.db.all(
      v.object({ lines: v.string() }),
      'SELECT lines FROM orders ORDER BY number',
    );
    expect(stored.map(({ lines }) => lines).join()).not.toContain(note);
    expect(stored[0]?.lines).toContain('"selectedSize":"M"');
  });

  it('[resolutions 21] keeps the lines with size and colour where they add up', async () => {
    const api = await testApi();
    const { token } = await api.customer();
    const line = (quantity: number, selectedSize: string | null) => ({
      id: KURTA,
      quantity,
      selectedSize,
      selectedColor: null,
    });
    const lines = [line(1, 'M'), line(1, null)];
    expect((await api.order(token, { [KURTA]: 2 }, { lines })).status).toBe(201);
    const stored = await api.db.get(v.object({ lines: v.string() }), 'SELECT lines FROM orders');
    expect(JSON.parse(stored?.lines ?? '')).toEqual(lines);
    for (const [wrong, code] of [
      [[line(1, 'M')], 'lines_mismatch'],
      [[...lines, { ...line(1, 'M'), id: PINEAPPLE }], 'lines_mismatch'],
      ['x', 'lines_invalid'],
      [[{ id: KURTA }], 'lines_invalid'],
      [[line(2, 'M\u202e')], 'lines_invalid'],
    ] as const) {
      expect((await api.order(token, { [KURTA]: 2 }, { lines: wrong })).json).toMatchObject({ code });
    }
  });
});

describe('the limit on placing orders', () => {
  const HOUR = 60 * 60_000;
  const limitedApi = () => testApi({ settings: { limits: limitOf('orders', 3) } });
  const keyed = (api: Api, token: string, key: string, quantity = 1) =>
    api.ask('/orders', {
      token,
      json: { products: { [MANGO]: quantity }, shippingAddress: ADDRESS },
      headers: { 'Idempotency-Key': key },
    });

  it('refuses a user for as long as too many are of this hour, and nobody else', async () => {
    const api = await limitedApi();
    const [{ token }, other] = [await api.customer(), await api.customer()];
    expect((await api.order(token, { nothing: 1 })).status).toBe(422);
    for (const at of [0, 1, 2]) {
      expect([at, (await api.order(token)).status]).toEqual([at, 201]);
      api.pass(60_000);
    }
    const refused = await api.order(token);
    expect([refused.status, refused.headers.get('retry-after'), await rows(api)]).toEqual([429, '3420', 3]);
    expect((await api.order(other.token)).status).toBe(201);
    api.pass(3_420_000);
    expect([(await api.order(token)).status, (await api.order(token)).status]).toEqual([201, 429]);
  });

  it('[fault 21] an attempt sent again gets its order, however many were placed', async () => {
    const api = await limitedApi();
    const { token } = await api.customer();
    const first = await keyed(api, token, 'attempt-1');
    for (const key of ['attempt-2', 'attempt-3']) await keyed(api, token, key);
    expect((await keyed(api, token, 'attempt-4')).status).toBe(429);
    for (let again = 0; again < 5; again += 1) {
      expect((await keyed(api, token, 'attempt-1')).text).toBe(first.text);
    }
    api.pass(HOUR);
    expect((await keyed(api, token, 'attempt-4')).status).toBe(201);
  });

  it('orders of a clock that ran ahead are in nobody’s way', async () => {
    const api = await limitedApi();
    const { token } = await api.customer();
    api.pass(24 * HOUR);
    for (let placed = 0; placed < 3; placed += 1) await api.order(token);
    api.pass(-24 * HOUR);
    expect((await api.order(token)).status).toBe(201);
  });
});

describe('Idempotency-Key', () => {
  const place = (api: Api, token: string, key: string, quantity = 1, more: object = {}) =>
    api.ask('/orders', {
      token,
      json: { products: { [MANGO]: quantity }, shippingAddress: ADDRESS, ...more },
      headers: { 'Idempotency-Key': key },
    });

  it('[fault 19, 21] 50 at once with one key make one row and 50 equal answers', async () => {
    const api = await testApi();
    const { token } = await api.customer();
    const answers = await Promise.all(Array.from({ length: 50 }, () => place(api, token, 'attempt-1')));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect(await rows(api)).toBe(1);
  });

  it('[fault 21] the key with another body is a 422 and no row; with the same meaning the same answer', async () => {
    const api = await testApi();
    const { token } = await api.customer();
    const first = await place(api, token, 'attempt-1');
    const other = await place(api, token, 'attempt-1', 2);
    expect([other.status, other.json]).toMatchObject([422, { code: 'idempotency_mismatch' }]);
    const spaced = { shippingAddress: { ...ADDRESS, city: ' Pune ' } };
    expect((await place(api, token, 'attempt-1', 1, spaced)).text).toBe(first.text);
    expect(await rows(api)).toBe(1);
    await place(api, token, 'attempt-2', 2);
    expect(await rows(api)).toBe(2);
  });

  it('[fault 21] a refused attempt leaves its key free', async () => {
    const api = await testApi();
    const { token } = await api.customer();
    expect((await place(api, token, 'attempt-1', 0)).status).toBe(422);
    expect((await place(api, token, 'attempt-1', 1)).status).toBe(201);
  });

  it('[fault 21] a key belongs to its user', async () => {
    const api = await testApi();
    const [a, b] = [await api.customer(), await api.customer()];
    const [first, second] = [await place(api, a.token, 'same'), await place(api, b.token, 'same')];
    expect([first.status, second.status, first.text === second.text]).toEqual([201, 201, false]);
  });

  it.each(['', 'x'.repeat(256), 'with space', 'ü'])('the key %j is a 422', async (key) => {
    const api = await testApi();
    const { token } = await api.customer();
    expect([(await place(api, token, key)).status, await rows(api)]).toEqual([422, 0]);
  });
});

describe('GET /orders', () => {
  it('[spec 7.orders.1] lists the user’s own, newest first', async () => {
    const api = await testApi();
    const [asha, ravi] = [await api.customer(), await api.customer()];
    for (const quantity of [1, 2, 3]) await api.order(asha.token, { [MANGO]: quantity });
    await api.order(ravi.token, { [PINEAPPLE]: 1 });
    const { data } = v.parse(OrderListSchema, (await api.ask('/orders', { token: asha.token })).json);
    expect(data.map(({ items }) => items[0]?.quantity)).toEqual([3, 2, 1]);
    const nobody = await api.customer();
    expect((await api.ask('/orders', { token: nobody.token })).json).toEqual({ data: [] });
  });

  it('lists the newest only where there are more than the storefront shows', async () => {
    const api = await testApi({
      settings: { orders: { listed: 3 } },
    });
    const { token } = await api.customer();
    for (const quantity of [1, 2, 3, 4, 5]) await api.order(token, { [MANGO]: quantity, [PINEAPPLE]: 1 });
    const { data } = v.parse(OrderListSchema, (await api.ask('/orders', { token })).json);
    expect(data.map(({ items }) => items.map(({ quantity }) => quantity))).toEqual([
      [5, 1],
      [4, 1],
      [3, 1],
    ]);
  });

  it('a long list lets others have their turn', async () => {
    const api = await testApi();
    const { token } = await api.customer();
    for (let order = 0; order < 45; order += 1) await api.order(token, { [MANGO]: 1 });
    let listing = true;
    let turns = 0;
    const others = (async () => {
      while (listing) {
        await new Promise((resolve) => setImmediate(resolve));
        turns += 1;
      }
    })();
    expect((await api.ask('/orders', { token })).status).toBe(200);
    listing = false;
    const meanwhile = turns;
    await others;
    expect(meanwhile).toBeGreaterThanOrEqual(2);
  });
});
