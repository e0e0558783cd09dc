import { setImmediate } from 'node:timers/promises';
import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';
import { StoreInfoSchema } from '#api/schema/store-info.ts';
import { NEW_ORDER } from '#domain/order-status.ts';
import { STAFF_STATUSES, type StaffStatusName } from '#server/admin/order-status.ts';
import { TRANSITIONS, transitionsOf } from '#server/fulfilment/apply-transition.ts';
import { OrderListSchema } from '#server/orders/schema.ts';
import { replaceStore, requireStore } from '#server/store/stored-store.ts';
import { ADDRESS, limitedApi, MANGO, testApi, withCustomer } from '#tests/server/support/api.ts';
import { countRows, rowsOf, runSql } from '#tests/server/support/rows.ts';
import { countsWith, UNLIMITED } from '#tests/support/api.ts';

type Api = Awaited<ReturnType<typeof testApi>>;
const rows = async ({ db }: Api): Promise<number | undefined> => await countRows(db, 'orders');

const AmountsSchema = v.object({ amounts: v.array(v.object({ amount: v.number() })) });

/** A product with sizes, and without colours. */
const KURTA = 'kurta';

describe('POST /orders', () => {
  it('gives orders random version 4 UUIDs', async () => {
    const { token, ...api } = await withCustomer(testApi());
    const ids = [(await api.placeOrder(token)).id, (await api.placeOrder(token)).id];
    for (const id of ids)
      expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(ids[0]?.slice(0, 8)).not.toBe(ids[1]?.slice(0, 8));
  });

  it('accepts only the product’s own sizes and colours', async () => {
    const { token, ...api } = await withCustomer(testApi());
    const send = (id: string, selectedSize: string, selectedColor = '') =>
      api.order(token, { [id]: 1 }, { lines: [{ id, quantity: 1, selectedSize, selectedColor }] });
    const note = 'Leave this parcel at the blue gate';
    expect((await send(KURTA, note)).json).toMatchObject({ code: 'option_unknown', target: KURTA });
    expect(await rows(api)).toBe(0);
    expect((await send(KURTA, 'M', note)).status).toBe(201);
    expect((await send(MANGO, note, note)).status).toBe(201);
    expect(await rowsOf(api.db, 'SELECT size, color FROM order_items ORDER BY order_number')).toEqual([
      { size: 'M', color: null },
      { size: null, color: null },
    ]);
  });
});

describe('the limit on placing orders', () => {
  const HOUR = 60 * 60_000;
  const withThree = () => limitedApi({ counts: countsWith('order', { account: 3 }) });
  const keyed = (api: Api, token: string, key: string) =>
    api.ask('/orders', {
      token,
      json: { products: { [MANGO]: 1 }, shippingAddress: ADDRESS },
      headers: { 'Idempotency-Key': key },
    });

  it('refuses a customer with too many orders in this hour, and no other customer', async () => {
    const api = await withThree();
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

  it('counts the confirmed accounts of a line apart from those that anybody can open', async () => {
    const api = await limitedApi({ counts: countsWith('order', { line: 1 }) });
    const [confirmed, first, second] = [await api.customer(), await api.customer(), await api.customer()];
    await runSql(
      api.db,
      `UPDATE customers SET email_verified = CASE email WHEN '${confirmed.email}' THEN 1 ELSE 0 END`,
    );
    const statuses: number[] = [];
    for (const { token } of [first, second, confirmed, confirmed])
      statuses.push((await api.order(token)).status);
    expect(statuses).toEqual([201, 429, 201, 429]);
  });

  it('answers a repeated request with its order, even over the limit', async () => {
    const api = await withThree();
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
});

it('numbers the orders of the shop one after the other, also those placed at once', async () => {
  const { token, ...api } = await withCustomer(testApi());
  const orders = await Promise.all(Array.from({ length: 12 }, () => api.placeOrder(token)));
  const counts = orders.map(({ number }) => Number(number.split('-')[1])).toSorted();
  expect(counts).toEqual(Array.from({ length: 12 }, (_, index) => 1_001 + index));
  const listed = (await api.ordersOf(token)).map(({ number }) => number);
  expect(listed).toEqual(
    orders
      .map(({ number }) => number)
      .toSorted()
      .toReversed(),
  );
});

describe('GET /orders', () => {
  it('returns only the customer’s own orders, newest first, with the next page in Link', async () => {
    const api = await testApi({ settings: { orders: { listed: 2, payableFor: 1_000, prefix: undefined } } });
    const [{ token }, stranger] = [await api.customer(), await api.customer()];
    for (const quantity of [1, 2, 3, 4, 5]) await api.order(token, { [MANGO]: quantity });
    const pages: number[][] = [];
    for (let path: string | undefined = '/orders'; path; ) {
      const answer = await api.ask(path, { token });
      const { data } = v.parse(OrderListSchema, answer.json);
      pages.push(data.map(({ items }) => items[0]?.quantity ?? 0));
      const link = answer.headers.get('link');
      path = link ? /^<\/api\/v1(\/orders\?after=[\da-f-]{36})>; rel="next"$/.exec(link)?.[1] : undefined;
      if (path) expect((await api.ask(path, { token: stranger.token })).json).toEqual({ data: [] });
    }
    expect(pages).toEqual([[5, 4], [3, 2], [1]]);
    expect((await api.ask('/orders?after=x', { token })).status).toBe(422);
    const allowed = await api.ask('/orders', {
      token,
      headers: { Origin: api.services.settings.siteOrigins[0] ?? '' },
    });
    expect(allowed.headers.get('access-control-expose-headers')).toContain('Link');
  });

  it.each([
    ['orders', '/orders'],
    ['personalData', '/users/data'],
  ] as const)('%s of an account are limited, and read in their lane', async (name, path) => {
    const { token, ...api } = await withCustomer(limitedApi({ counts: countsWith(name, { account: 1 }) }));
    const lane = vi.spyOn(api.services.limits, 'lane');
    expect([(await api.ask(path, { token })).status, (await api.ask(path, { token })).status]).toEqual([
      200, 429,
    ]);
    expect(lane).toHaveBeenCalledWith('read');
  });

  it('has few orders on a page if they have very many lines, and an order has at most 200', async () => {
    const { token, ...api } = await withCustomer(testApi());
    const order = (count: number) => {
      const lines = Array.from({ length: count }, () => ({ id: MANGO, quantity: 1 }));
      return api.order(token, { [MANGO]: count }, { lines });
    };
    for (let placed = 0; placed < 3; placed += 1) expect((await order(200)).status).toBe(201);
    expect(await order(201)).toMatchObject({ status: 422, json: { code: 'too_many_lines' } });
    const first = await api.ask('/orders', { token });
    expect(v.parse(OrderListSchema, first.json).data).toHaveLength(2);
    const next = /^<\/api\/v1(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await api.ask(next, { token });
    expect(v.parse(OrderListSchema, second.json).data).toHaveLength(1);
    expect(second.headers.get('link')).toBeNull();
  });

  it('serves other requests while it reads a long list', async () => {
    const { token, ...api } = await withCustomer(testApi({ settings: UNLIMITED }));
    for (let order = 0; order < 45; order += 1) await api.order(token, { [MANGO]: 1 });
    let listing = true;
    let turns = 0;
    const others = (async () => {
      for (; listing; turns += 1) await setImmediate();
    })();
    expect((await api.ask('/orders', { token })).status).toBe(200);
    listing = false;
    const meanwhile = turns;
    await others;
    expect(meanwhile).toBeGreaterThanOrEqual(2);
  });
});

it('[spec 3.store.7] charges the store record’s delivery fee of the moment, to the paisa, and publishes it', async () => {
  const { token, ...api } = await withCustomer(testApi());
  const order = async (quantity = 1) => await api.placeOrder(token, { [MANGO]: quantity });
  const { total: subtotal } = await order();
  const record = await requireStore(api.db);
  const delivery = { ...record.delivery, charge: 60.55, freeFrom: 2 * subtotal };
  await api.db.write((transaction) => replaceStore(transaction, { ...record, delivery }));

  expect((await order()).amounts).toEqual([
    { id: 'subtotal', name: 'Subtotal', amount: subtotal },
    { id: 'delivery', name: 'Shipping', amount: 60.55 },
  ]);
  const charged = await order();
  expect(Math.round(charged.total * 100)).toBe(Math.round(subtotal * 100) + 60_55);
  expect(await order(2)).toMatchObject({
    total: 2 * subtotal,
    amounts: [{ name: 'Subtotal' }, { name: 'Shipping', amount: 0 }],
  });
  const { json } = await api.ask('/storeInfo');
  expect(v.parse(StoreInfoSchema, json).delivery).toMatchObject({ charge: 60.55, freeFrom: 2 * subtotal });
});

it('charges a place its own delivery, and refuses what the store record rules out, in the language of the order', async () => {
  const { token, ...api } = await withCustomer(testApi());
  const order = (postalCode: string, language = 'en') =>
    api.order(token, { [MANGO]: 1 }, { shippingAddress: { ...ADDRESS, postalCode }, language });
  const record = await requireStore(api.db);
  const save = (changed: Partial<typeof record>) =>
    api.db.write((transaction) => replaceStore(transaction, { ...record, ...changed }));

  const places = [
    { digits: '4', charge: 30 },
    { digits: '4110', charge: 25.5 },
  ];
  await save({ delivery: { ...record.delivery, charge: 60, freeFrom: null, places } });
  const deliveryTo = async (code: string) =>
    v.parse(AmountsSchema, (await order(code)).json).amounts[1]?.amount;
  expect([await deliveryTo('411001'), await deliveryTo('400001'), await deliveryTo('110001')]).toEqual([
    25.5, 30, 60,
  ]);

  const refused = async (code = '411001', language = 'en') => {
    const { status, json } = await order(code, language);
    return [status, json];
  };
  await save({ served: ['411', '4130'] });
  expect((await order('411 001')).status).toBe(201);
  expect(await refused('560001')).toMatchObject([422, { code: 'not_served', target: 'postalCode' }]);
  await save({ orderMinimum: 1_000_000 });
  expect(await refused()).toMatchObject([422, { code: 'order_too_small', target: 'products' }]);
  const day = (after: number) => new Date(api.now() + after * 86_400_000).toISOString().slice(0, 10);
  await save({ pause: { from: day(-1), until: day(1), sentence: '' } });
  expect(await refused()).toMatchObject([
    422,
    { code: 'orders_paused', error: expect.stringMatching(/We take no orders until/) },
  ]);
  expect(await refused('411001', 'hi')).toMatchObject([
    422,
    { error: expect.stringMatching(/ऑर्डर नहीं ले रहे हैं/) },
  ]);
  await save({ pause: { from: day(-3), until: day(-2), sentence: '' } });
  expect((await order('411001')).status).toBe(201);
});

const NAMES = Object.keys(STAFF_STATUSES).filter((name): name is StaffStatusName => name in STAFF_STATUSES);

it('each status after the first is reached by exactly one transition', () => {
  const later = NAMES.filter((name) => STAFF_STATUSES[name].code !== NEW_ORDER);
  expect(
    Object.values(TRANSITIONS)
      .map(({ to }) => to)
      .toSorted(),
  ).toEqual(later.toSorted());
});

it('a shipped order cannot be cancelled, and parcels come back one by one', () => {
  const cancellable = NAMES.filter((name) =>
    transitionsOf(STAFF_STATUSES[name].code).needsConfirmation.includes('cancel'),
  );
  expect(cancellable).toEqual(['pending', 'processing']);
  expect(transitionsOf().several).toEqual(['process', 'ship', 'deliver', 'cancel']);
  expect(transitionsOf(STAFF_STATUSES.pending.code).atOnce).toEqual(['process']);
  expect(transitionsOf(99)).toEqual({ atOnce: [], needsConfirmation: [], several: [] });
});
