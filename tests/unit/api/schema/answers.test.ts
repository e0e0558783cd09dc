import * as v from 'valibot';
import { expect, it } from 'vitest';
import { CreatedOrderSchema, LenientOrderSchema, OrdersSchema } from '#api/schema/order.ts';
import { PaymentFieldsSchema, PaymentResponseSchema } from '#api/schema/payment.ts';
import { StoreInfoSchema } from '#api/schema/store-info.ts';
import { orderDto } from '#tests/unit/stores/support/fake-api.ts';

it('[spec 3.order.4] an order of the API takes an item’s name from productTitle', () => {
  expect(v.parse(LenientOrderSchema, orderDto()).items).toEqual([
    { id: 'mango', name: 'Alphonso Mango', quantity: 2, price: 449.5 },
  ]);
});

it('an order of the API reads numeric ids and PIN codes, except those beyond 2^53', () => {
  const order = v.parse(LenientOrderSchema, orderDto({ id: 42, shippingAddress: { postalCode: 411_001 } }));
  expect([order.id, order.shippingAddress.postalCode]).toEqual(['42', '411001']);
  expect(v.parse(CreatedOrderSchema, { id: 42 })).toEqual({ id: '42' });
  expect(v.is(CreatedOrderSchema, { id: 2 ** 60 })).toBe(false);
});

it.each([
  [{ status: undefined }, 0],
  [{ status: null }, 0],
  [{ status: 7 }, 7],
  [{ status: 'x' }, 'unreadable'],
])('[spec 3.order.1] an order of the API %j has the status %s', (change, status) => {
  expect(v.parse(LenientOrderSchema, orderDto(change)).status).toBe(status);
});

it.each([
  ['without them, the sum of the items', {}, ['Subtotal 89900', 'Shipping 0'], 89_900],
  [
    'as they were sent',
    {
      amounts: [
        { name: 'Subtotal', amount: 1_798 },
        { name: 'Discount', amount: -98.5 },
      ],
      total: 1_699.5,
    },
    ['Subtotal 179800', 'Discount -9850'],
    169_950,
  ],
  ['none that can be read, a total by itself', { amounts: [{ name: 'A' }, 7], total: 1_850 }, [], 185_000],
  ['a total that is no price', { amounts: [], total: 'x' }, ['Subtotal 89900', 'Shipping 0'], 89_900],
])('[spec 2.orders.5] an order of the API has %s', (_, change, lines, total) => {
  const { amounts } = v.parse(LenientOrderSchema, orderDto(change));
  expect(amounts.lines.map(({ name, paise }) => `${name} ${paise}`)).toEqual(lines);
  expect(amounts.total).toBe(total);
});

it.each([
  ['bare', [orderDto()]],
  ['in data', { data: [orderDto()] }],
  ['among junk', [null, orderDto(), { id: '' }]],
])('[spec 3.order.10] a list of orders comes %s', async (_, answer) => {
  const orders = await v.parseAsync(OrdersSchema, answer);
  expect(orders.map(({ id }) => id)).toEqual(['order-1']);
});

const field = { name: 'method', label: 'Method', type: 'text' };

it.each([
  ['an array', [field]],
  ['an object with fields', { fields: [field] }],
  ['the same in data', { data: { fields: [field] } }],
])('[spec 7.payments.1] payment fields come as %s', (_, body) => {
  expect(v.parse(PaymentFieldsSchema, body)).toMatchObject([{ name: 'method' }]);
});

it.each([[[]], [{ fields: [] }], [{}], [null], ['x']])('[spec 7.payments.2] %j is an empty list', (body) =>
  expect(v.parse(PaymentFieldsSchema, body)).toEqual([]),
);

it('payment fields are limited to the first 100', () => {
  const many = Array.from({ length: 130 }, (_, index) => ({ ...field, name: `f${index}` }));
  expect(v.parse(PaymentFieldsSchema, many).map(({ name }) => name)).toEqual(
    many.slice(0, 100).map(({ name }) => name),
  );
});

it('[spec 3.payment.2] [spec 3.payment.3] [spec 4.payment.4] a payment response has the action with all its parts, and form data of texts, numbers and booleans', () => {
  const action = { type: 'qr', redirectUrl: 'https://b.in/', qr: 'q', qrBase64: 'b' };
  const data = { amount: 49_900, live: true, key: 'k', nested: {} };
  const answer = { success: true, error: 'e', redirectUrl: 'https://a.in/' };
  const formParams = { type: 't', url: 'u', data };
  expect(v.parse(PaymentResponseSchema, { ...answer, action: { ...action, formParams } })).toEqual({
    ...answer,
    action: {
      ...action,
      formParams: {
        ...formParams,
        data: new Map([
          ['amount', '49900'],
          ['live', 'true'],
          ['key', 'k'],
        ]),
      },
    },
  });
});

const image = 'https://api.example/berries.webp';

it.each([
  ['an object', { Berries: image }],
  ['a Map', new Map([['Berries', image]])],
  ['pairs', [['Berries', image]]],
])('[spec 3.store.1] categoryImages may be %s', (_, categoryImages) => {
  expect(v.parse(StoreInfoSchema, { categoryImages }).categoryImages.get('Berries')).toBe(image);
});

it('[spec 3.store.6] the store record comes bare or wrapped in data', () => {
  expect(v.parse(StoreInfoSchema, { data: { storeName: 'Stall' } }).storeName).toBe('Stall');
  expect(v.parse(StoreInfoSchema, { storeName: 'Stall' }).storeName).toBe('Stall');
});

it.each(['categoryImages', 'policies'] as const)(
  'keys of %s such as __proto__ are ordinary names',
  (field) => {
    const record = `{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"Berries":"${image}"}`;
    const spoiled = v.parse(StoreInfoSchema, JSON.parse(`{"__proto__":{"polluted":1},"${field}":${record}}`));
    expect([...spoiled[field]]).toEqual([['Berries', image]]);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(Object.hasOwn(spoiled, 'polluted')).toBe(false);
    const named = `{"__proto__":"${image}","constructor":"${image}","prototype":"${image}","Berries":"${image}"}`;
    const parsed = v.parse(StoreInfoSchema, JSON.parse(`{"${field}":${named}}`))[field];
    expect([...parsed.keys()]).toEqual(['__proto__', 'constructor', 'prototype', 'Berries']);
    expect([...new Set(parsed.values())]).toEqual([image]);
  },
);

it.each([null, 'x', 7])('%j is not a store record', (answer) => {
  expect(v.safeParse(StoreInfoSchema, answer).success).toBe(false);
});
