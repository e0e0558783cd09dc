import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { CreatedOrderReader, OrderReader, OrdersReader } from '#api/schema/order.ts';

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
