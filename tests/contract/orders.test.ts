import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { CreatedOrderSchema, LenientOrderSchema, OrdersSchema } from '#api/schema/order.ts';
import { ProductPageSchema } from '#api/schema/product.ts';
import { ADDRESS, backend, forSale, JSON_TYPE, type Need, shapeOf } from './support/backend.ts';

/** A customer, and the customer's orders. */
async function buyer(...needs: readonly Need[]) {
  const api = await backend(...needs);
  const { token, email } = await api.customer();
  const orders = async () => v.parseAsync(OrdersSchema, (await api.request('/orders', { token })).json);
  /** Shows that a refusal stored no order. */
  const count = async () => (await orders()).length;
  const buy = (products?: Record<string, unknown>, more?: object) => api.order(token, products, more);
  return { ...api, token, email, orders, count, buy };
}

type Buyer = Awaited<ReturnType<typeof buyer>>;

/** Orders some of the first product with an Idempotency-Key. */
const place = (api: Buyer, key: string, quantity = 1, more: object = {}) =>
  api.request('/orders', {
    token: api.token,
    json: { products: { [api.product.id]: quantity }, shippingAddress: ADDRESS, ...more },
    headers: { 'Idempotency-Key': key },
  });

const newKey = (): string => crypto.randomUUID();

describe('POST /orders', () => {
  it('[spec 7.orders.3, 7.orders.4] prices the order from the catalogue, in exact rupees', async () => {
    const api = await buyer();
    const { product, other } = api;
    const { status, json } = await api.buy({ [product.id]: 2, [other.id]: 1 });
    expect(status).toBe(201);
    const { id } = v.parse(CreatedOrderSchema, json);
    expect((await api.orders()).find((order) => order.id === id)).toMatchObject({
      status: 0,
      items: [
        { id: product.id, name: product.name, quantity: 2, price: product.price },
        { id: other.id, name: other.name, quantity: 1, price: other.price },
      ],
      shippingAddress: ADDRESS,
    });
    const total = api.sum([product, 2], [other, 1]);
    const amounts = [
      { name: 'Subtotal', amount: total },
      { name: 'Shipping', amount: 0 },
    ];
    if (api.hooks.ownWords) expect(json).toMatchObject({ amounts, total });
  });

  it('prices, totals, status, owner and number in the body are ignored', async () => {
    const api = await buyer();
    const extra = { price: 1, total: 1, status: 3, userId: 'x', id: 'mine', role: 'admin', items: [] };
    const { json } = await api.buy({ [api.product.id]: 1 }, extra);
    const { id } = v.parse(CreatedOrderSchema, json);
    expect(id).not.toBe('mine');
    expect((await api.orders()).find((order) => order.id === id)).toMatchObject({
      status: 0,
      items: [{ quantity: 1, price: api.product.price }],
    });
  });

  const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`p${index}`, 1]));
  it.each([
    ['no products', () => ({}), 'products_missing', 'products'],
    ['101 products', () => many, 'too_many_products', 'products'],
    ['an unknown product', () => ({ nothing: 1 }), 'product_unknown', 'nothing'],
    ['quantity 0', (id: string) => ({ [id]: 0 }), 'quantity_invalid', ''],
    ['quantity -1', (id: string) => ({ [id]: -1 }), 'quantity_invalid', ''],
    ['quantity 1.5', (id: string) => ({ [id]: 1.5 }), 'quantity_invalid', ''],
    ['quantity 10000', (id: string) => ({ [id]: 10_000 }), 'quantity_invalid', ''],
    ['quantity 1e9', (id: string) => ({ [id]: 1e9 }), 'quantity_invalid', ''],
    ['quantity "2"', (id: string) => ({ [id]: '2' }), 'quantity_invalid', ''],
    ['quantity null', (id: string) => ({ [id]: null }), 'quantity_invalid', ''],
    ['one good and one bad', (id: string) => ({ [id]: 1, nothing: 1 }), 'product_unknown', 'nothing'],
  ] as const)('%s is a 422 with a reason, and no order', async (_name, of, code, target) => {
    const api = await buyer();
    const before = await api.count();
    const { status, json } = await api.buy(of(api.product.id));
    expect([status, json]).toMatchObject([422, { error: expect.any(String) }]);
    if (api.hooks.ownWords) {
      expect(json).toEqual({
        error: expect.any(String),
        code,
        message: expect.any(String),
        target: target || api.product.id,
      });
    }
    expect(await api.count()).toBe(before);
  });

  it.each(['[]', 'null', '7', '"x"', '{}', '{"products":[]}', '{"products":null}', '{"products":"x"}'])(
    'the body %s is a 422',
    async (body) => {
      const api = await buyer();
      const before = await api.count();
      const { status } = await api.request('/orders', { token: api.token, body, headers: JSON_TYPE });
      expect([status, await api.count()]).toEqual([422, before]);
    },
  );

  it.each([
    ['__proto__', 'name_reserved'],
    ['constructor', 'name_reserved'],
    ['prototype', 'name_reserved'],
    ['toString', 'product_unknown'],
  ])('a product called %s is refused, not ignored', async (name, code) => {
    const api = await buyer();
    const body = `{"products":{"${api.product.id}":1,"${name}":1},"shippingAddress":${JSON.stringify(ADDRESS)}}`;
    const { status, json } = await api.request('/orders', { token: api.token, body, headers: JSON_TYPE });
    expect(status).toBe(422);
    if (api.hooks.ownWords) expect(json).toMatchObject({ code, target: name });
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
  ])('an address with a field that is %s is a 422 that names it', async (_name, wrong, target) => {
    const api = await buyer();
    const before = await api.count();
    const shippingAddress = { ...ADDRESS, ...wrong };
    const { status, json } = await api.buy({ [api.product.id]: 1 }, { shippingAddress });
    expect([status, json]).toMatchObject([422, { code: api.expectedError('address_invalid'), target }]);
    expect(await api.count()).toBe(before);
  });

  it('an address is stored trimmed, in any script', async () => {
    const api = await buyer();
    const shippingAddress = { ...ADDRESS, fullName: '  आशा राव 🍎 ' };
    await api.buy({ [api.product.id]: 1 }, { shippingAddress });
    expect((await api.orders())[0]).toMatchObject({ shippingAddress: { fullName: 'आशा राव 🍎' } });
  });

  const priced = (id: string, regularPrice: number, title = 'Mango') => forSale({ id, title, regularPrice });

  it('a total past 2^53 paise is a 422 and does not overflow', async () => {
    const api = await buyer('sell');
    await api.hooks.sell?.([priced('gold', 10_000_000_000)]);
    expect((await api.buy({ gold: 9_999 })).status).toBe(422);
    await api.buy({ gold: 9_007 });
    expect((await api.orders())[0]).toMatchObject({ items: [{ quantity: 9_007, price: 1e10 }] });
  });

  it('sells at the new price, refuses discontinued products, and keeps the orders as they were', async () => {
    const api = await buyer('sell');
    await api.hooks.sell?.([priced('a', 899, 'Box of mangoes'), priced('b', 99.5, 'Pineapple')]);
    await api.buy({ a: 1, b: 1 });
    await api.hooks.sell?.([priced('a', 950.5)]);
    expect((await api.buy({ a: 2 })).status).toBe(201);
    const refused = await api.buy({ a: 2, b: 1 });
    expect([refused.status, refused.json]).toMatchObject([
      422,
      { code: api.expectedError('product_gone'), target: 'b' },
    ]);
    expect((await api.request('/products/b')).status).toBe(404);
    const [newer, older] = await api.orders();
    expect(newer?.items).toMatchObject([{ name: 'Mango', quantity: 2, price: 950.5 }]);
    expect(older?.items).toMatchObject([
      { name: 'Box of mangoes', price: 899 },
      { name: 'Pineapple', price: 99.5 },
    ]);
  });

  it('a product without a price cannot be ordered', async () => {
    const api = await buyer('sell');
    await api.hooks.sell?.([priced('free', 0)]);
    const { status, json } = await api.buy({ free: 1 });
    expect([status, json]).toMatchObject([422, { code: api.expectedError('price_unavailable') }]);
  });

  it('stores the lines with size and colour if they add up', async () => {
    const api = await buyer('orderLines', 'linesOf');
    const { products } = await v.parseAsync(
      ProductPageSchema,
      (await api.request('/products?limit=100')).json,
    );
    const sized = products.find(({ sizes }) => sizes.length > 0);
    expect(sized, 'The contract needs a product with sizes.').toBeDefined();
    const { id = '', sizes = [] } = sized ?? {};
    const line = (selectedSize: string | null) => ({ id, quantity: 1, selectedSize, selectedColor: null });
    const lines = [line(sizes[0] ?? ''), line(null)];
    const { status, json } = await api.buy({ [id]: 2 }, { lines });
    expect(status).toBe(201);
    expect(await api.hooks.linesOf?.(v.parse(CreatedOrderSchema, json).id)).toEqual(lines);
  });

  it.each([
    ['that lack some', (id: string) => [{ id, quantity: 1, selectedSize: 'M' }], 'lines_mismatch'],
    ['of another product', () => [{ id: 'other', quantity: 2 }], 'lines_mismatch'],
    ['that are a text', () => 'x', 'lines_invalid'],
    ['without a quantity', (id: string) => [{ id }], 'lines_invalid'],
  ])('lines %s are a 422', async (_name, linesOf, code) => {
    const api = await buyer('orderLines');
    const { id } = api.product;
    const { status, json } = await api.buy({ [id]: 2 }, { lines: linesOf(id) });
    expect([status, json]).toMatchObject([422, { code: api.expectedError(code) }]);
  });
});

describe('POST /orders with an Idempotency-Key', () => {
  it('50 at once with one key make one order, with equal responses', async () => {
    const api = await buyer('idempotencyKeys');
    const before = await api.count();
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 50 }, () => place(api, key)));
    const final = answers.filter(({ status }) => status !== 409);
    expect(new Set(final.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(final[0]?.status).toBe(201);
    for (const { status, headers } of answers)
      if (status === 409) expect(headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await api.count()).toBe(before + 1);
  });

  it('a key with another body is a 422 and no order; an equivalent body gets the same response', async () => {
    const api = await buyer('idempotencyKeys');
    const [before, key] = [await api.count(), newKey()];
    const first = await place(api, key);
    const other = await place(api, key, 2);
    expect([other.status, other.json]).toMatchObject([
      422,
      { code: api.expectedError('idempotency_mismatch') },
    ]);
    const spaced = { shippingAddress: { ...ADDRESS, city: ' Pune ' } };
    expect((await place(api, key, 1, spaced)).text).toBe(first.text);
    expect(await api.count()).toBe(before + 1);
    await place(api, newKey(), 2);
    expect(await api.count()).toBe(before + 2);
  });

  it('the key of a refused order can be used again', async () => {
    const api = await buyer('idempotencyKeys');
    const key = newKey();
    expect((await place(api, key, 0)).status).toBe(422);
    expect((await place(api, key, 1)).status).toBe(201);
  });

  it('two customers can use the same key', async () => {
    const api = await buyer('idempotencyKeys');
    const [key, other] = [newKey(), await api.customer()];
    const [first, second] = [await place(api, key), await place({ ...api, ...other }, key)];
    expect([first.status, second.status, first.text === second.text]).toEqual([201, 201, false]);
  });

  it.each(['', 'x'.repeat(256), 'with space', 'ü'])('the key %j is a 422', async (key) => {
    const api = await buyer('idempotencyKeys');
    const before = await api.count();
    expect([(await place(api, key)).status, await api.count()]).toEqual([422, before]);
  });
});

describe('POST /orders with expectedTotal', () => {
  it('a dearer order is a 422 with its total and can be sent again with that, a cheaper one is created', async () => {
    const api = await buyer('expectedTotal');
    const { product } = api;
    const before = await api.count();
    const total = api.sum([product, 2]);
    const buy = (expectedTotal: unknown) => api.buy({ [product.id]: 2 }, { expectedTotal });
    const dearer = await buy(total - 0.01);
    expect([dearer.status, dearer.json]).toMatchObject([
      422,
      { code: 'total_changed', target: 'total', total },
    ]);
    expect((await buy('much')).status).toBe(422);
    expect(await api.count()).toBe(before);
    for (const accepted of [total, total + 100, null, undefined])
      expect((await buy(accepted)).status).toBe(201);
  });

  it('it does not make another order of the same key', async () => {
    const api = await buyer('expectedTotal', 'idempotencyKeys');
    const [total, key] = [api.sum([api.product, 1]), newKey()];
    const first = await place(api, key, 1, { expectedTotal: total });
    expect(first.status).toBe(201);
    expect((await place(api, key, 1, { expectedTotal: total - 1 })).text).toBe(first.text);
  });
});

describe('GET /orders', () => {
  it('[spec 7.orders.1] lists the customer’s own orders, newest first', async () => {
    const api = await buyer();
    for (const quantity of [1, 2, 3]) await api.buy({ [api.product.id]: quantity });
    const { json } = await api.order((await api.customer()).token, { [api.other.id]: 1 });
    const orders = await api.orders();
    expect(orders.slice(0, 3).map(({ items }) => items[0]?.quantity)).toEqual([3, 2, 1]);
    expect(orders.map(({ id }) => id)).not.toContain(v.parse(CreatedOrderSchema, json).id);
  });

  it('[spec 7.orders.1] is empty for a customer without orders', async () => {
    expect(await (await buyer('reset')).orders()).toEqual([]);
  });
});

describe('GET /orders/:id', () => {
  const track = ({ request }: Buyer, id: string, contact?: string, token?: string) =>
    request(`/orders/${id}${contact === undefined ? '' : `?contactInfo=${encodeURIComponent(contact)}`}`, {
      ...(token === undefined ? {} : { token }),
    });

  async function ordered() {
    const api = await buyer();
    const { id } = v.parse(CreatedOrderSchema, (await api.buy({ [api.product.id]: 1 })).json);
    return { api, id, ...api };
  }

  it.each([
    ['the email', (email: string) => email],
    ['the email in capitals, with spaces', (email: string) => ` ${email.toUpperCase()} `],
    ['the phone', () => ADDRESS.phone],
    ['the phone without spaces', () => ADDRESS.phone.replaceAll(' ', '')],
  ])('[spec 7.orders.2] %s opens the order, as the list has it', async (_name, contactOf) => {
    const { api, email, id } = await ordered();
    const { status, json } = await track(api, id, contactOf(email));
    expect(status).toBe(200);
    expect(v.parse(LenientOrderSchema, json)).toEqual((await api.orders())[0]);
  });

  it('a wrong, empty or missing contact and an unknown number get the same 404', async () => {
    const { api, id, email, token } = await ordered();
    const [wrong, ...others] = [
      await track(api, id, 'other@example.com'),
      await track(api, id, ''),
      await track(api, id, undefined, token),
      await track(api, id, ADDRESS.phone.slice(-5)),
      await track(api, 'ffffffff-0000-4000-8000-000000000000', email),
      await track(api, '__proto__', email),
    ];
    expect([wrong.status, wrong.json]).toEqual([
      404,
      { error: api.expectedError('Order not found or access denied') },
    ]);
    for (const each of others) expect(shapeOf(each)).toEqual(shapeOf(wrong));
  });

  it.each([1, 2, 3, 4])('[spec 4.status.8] returns status %i', async (status) => {
    const api = await buyer('setStatus');
    const { id } = v.parse(CreatedOrderSchema, (await api.buy()).json);
    await api.hooks.setStatus?.(id, status);
    expect(v.parse(LenientOrderSchema, (await track(api, id, api.email)).json).status).toBe(status);
  });
});
