import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { CreatedOrderReader, OrderReader, OrdersReader } from '#api/schema/order.ts';
import { PaymentFieldsReader, PaymentResponseReader } from '#api/schema/payment.ts';
import { StoreInfoReader } from '#api/schema/store-info.ts';

const wire = (change: Record<string, unknown> = {}) => ({
  id: 'order-1',
  status: 1,
  createdAt: '2026-11-12T10:00:00Z',
  items: [{ id: 'mango', productTitle: 'Alphonso Mango', quantity: 2, price: 899 }],
  shippingAddress: { address: '12 Rose Villa', city: 'Pune', state: 'Maharashtra', postalCode: '411001' },
  ...change,
});

describe('an order of the server', () => {
  it('[spec 3.order.4] names an item by its productTitle', () => {
    expect(v.parse(OrderReader, wire()).items).toEqual([
      { id: 'mango', name: 'Alphonso Mango', quantity: 2, price: 899 },
    ]);
  });

  it('reads ids and PIN codes that the server keeps as numbers', () => {
    const order = v.parse(
      OrderReader,
      wire({
        id: 42,
        items: [{ id: 7, productTitle: 'Kiwi', quantity: 1, price: 50 }],
        shippingAddress: { postalCode: 411_001, phone: 9_876_543_210 },
      }),
    );
    expect([order.id, order.items[0]?.id]).toEqual(['42', '7']);
    expect(order.shippingAddress).toMatchObject({ postalCode: '411001', phone: '9876543210' });
    expect(v.parse(CreatedOrderReader, { id: 42 })).toEqual({ id: '42' });
    // The server's last digits did not survive: it is nobody's number.
    expect(v.is(CreatedOrderReader, { id: 2 ** 60 })).toBe(false);
  });

  it.each([
    [{ status: undefined }, 0],
    [{ status: null }, 0],
    [{ status: 7 }, 7],
    [{ status: 'x' }, 'unreadable'],
  ])('[spec 3.order.1] %j has the status %s', (change, status) => {
    expect(v.parse(OrderReader, wire(change)).status).toBe(status);
  });

  it.each([
    ['without them, the sum of the items', {}, ['Subtotal 179800', 'Shipping 0'], 179_800],
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
    ['a total by itself', { total: 1_850 }, [], 185_000],
    [
      'lines that cannot all be read are left out',
      { amounts: [{ name: 'A', amount: 1 }, 7], total: 1_850 },
      [],
      185_000,
    ],
    ['a total that is no price', { amounts: [], total: 'x' }, ['Subtotal 179800', 'Shipping 0'], 179_800],
  ])('[spec 2.orders.5] its amounts: %s', (_, change, lines, total) => {
    const { amounts } = v.parse(OrderReader, wire(change));
    expect(amounts.lines.map(({ name, paise }) => `${name} ${paise}`)).toEqual(lines);
    expect(amounts.total).toBe(total);
  });

  it.each([
    ['bare', [wire()]],
    ['in data', { data: [wire()] }],
    ['among junk', [null, wire(), { id: '' }]],
  ])('[spec 3.order.10] a list of orders comes %s', async (_, answer) => {
    const orders = await v.parseAsync(OrdersReader, answer);
    expect(orders.map(({ id }) => id)).toEqual(['order-1']);
  });
});

describe('payment fields', () => {
  const field = { name: 'method', label: 'Method', type: 'text' };

  it.each([
    ['an array', [field]],
    ['an object with fields', { fields: [field] }],
    ['the same in data', { data: { fields: [field] } }],
  ])('[spec 7.payments.1] come as %s', (_, body) => {
    expect(v.parse(PaymentFieldsReader, body)).toMatchObject([{ name: 'method' }]);
  });

  it.each([[[]], [{ fields: [] }], [{}], [null], ['x']])(
    '[spec 7.payments.2] [fault 16] %j is an empty list',
    (body) => {
      expect(v.parse(PaymentFieldsReader, body)).toEqual([]);
    },
  );

  it('[fault 16] of more than 100 the first 100 count', () => {
    const many = Array.from({ length: 130 }, (_, index) => ({ ...field, name: `f${index}` }));
    expect(v.parse(PaymentFieldsReader, many).map(({ name }) => name)).toEqual(
      many.slice(0, 100).map(({ name }) => name),
    );
  });
});

describe('payment answers', () => {
  it('[spec 4.payment.4] all that a gateway is to get is a text, numbers and yes or no as well', () => {
    const data = { amount: 49_900, live: true, key: 'k', nested: {} };
    const { action } = v.parse(PaymentResponseReader, {
      success: true,
      action: { type: 'redirect_post', formParams: { type: 't', url: 'u', data } },
    });
    expect(Object.fromEntries(action?.formParams?.data ?? [])).toEqual({
      amount: '49900',
      live: 'true',
      key: 'k',
    });
  });

  it('[spec 3.payment.2] [spec 3.payment.3] success, error, redirectUrl and the action with all its parts', () => {
    const answer = {
      success: true,
      error: 'e',
      redirectUrl: 'https://a.in/',
      action: {
        type: 'qr',
        redirectUrl: 'https://b.in/',
        formParams: { type: 't', url: 'u', data: { k: 'v' } },
        qr: 'q',
        qrBase64: 'b',
      },
    };
    expect(v.parse(PaymentResponseReader, answer)).toEqual({
      ...answer,
      action: { ...answer.action, formParams: { type: 't', url: 'u', data: new Map([['k', 'v']]) } },
    });
  });
});

const image = 'https://api.example/berries.webp';

describe('the store record', () => {
  it.each([
    ['an object', { Berries: image }],
    ['a Map', new Map([['Berries', image]])],
    ['pairs', [['Berries', image]]],
  ])('[spec 3.store.1] categoryImages may be %s', (_, categoryImages) => {
    expect(v.parse(StoreInfoReader, { categoryImages }).categoryImages.get('Berries')).toBe(image);
  });

  it('[spec 3.store.6] comes bare or wrapped in data', () => {
    expect(v.parse(StoreInfoReader, { data: { storeName: 'Stall' } }).storeName).toBe('Stall');
    expect(v.parse(StoreInfoReader, { storeName: 'Stall' }).storeName).toBe('Stall');
  });

  it.each(['categoryImages', 'policies'] as const)(
    '[fault 57] keys of %s that every object has pollute nothing and are names like any other',
    (field) => {
      const record = `{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"Berries":"${image}"}`;
      const spoiled = v.parse(
        StoreInfoReader,
        JSON.parse(`{"__proto__":{"polluted":1},"${field}":${record}}`),
      );
      expect([...spoiled[field]]).toEqual([['Berries', image]]);
      expect(Reflect.get({}, 'polluted')).toBeUndefined();
      expect(Object.hasOwn(spoiled, 'polluted')).toBe(false);
      const named = `{"__proto__":"${image}","constructor":"${image}","prototype":"${image}","Berries":"${image}"}`;
      const kept = v.parse(StoreInfoReader, JSON.parse(`{"${field}":${named}}`))[field];
      expect([...kept.keys()]).toEqual(['__proto__', 'constructor', 'prototype', 'Berries']);
      expect([...new Set(kept.values())]).toEqual([image]);
    },
  );

  it.each([null, 'x', 7])('%j is no store record', (answer) => {
    expect(v.safeParse(StoreInfoReader, answer).success).toBe(false);
  });
});
