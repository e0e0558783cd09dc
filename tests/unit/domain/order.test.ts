import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addressLines,
  closedText,
  isPaid,
  isPayable,
  NO_TRACKING,
  orderTotal,
  SHIPPING_METHOD,
  STATUS,
  statusBadge,
} from '#domain/order.ts';
import { anOrder, MEERA } from '#tests/support/order.ts';

describe('the status of an order', () => {
  it.each([
    ['[spec 4.status.1] [spec 4.status.8]', 0, 'Pending', 'yellow'],
    ['[spec 4.status.2] [spec 4.status.8]', 1, 'Processing', 'blue'],
    ['[spec 4.status.3] [spec 4.status.8]', 2, 'Shipped', 'purple'],
    ['[spec 4.status.4] [spec 4.status.8]', 3, 'Delivered', 'green'],
    ['[spec 4.status.5] [spec 4.status.8]', 4, 'Cancelled', 'red'],
    ['[spec 4.status.6] [spec 4.status.8]', 5, 'Unknown (5)', 'grey'],
    ['[spec 4.status.6]', -1, 'Unknown (-1)', 'grey'],
    ['[spec 4.status.6]', 1.5, 'Unknown (1.5)', 'grey'],
    ['[spec 4.status.7] [spec 4.status.8]', 'unreadable', 'Unknown', 'grey'],
  ] as const)('%s %s shows %s in %s', (_, status, label, tone) => {
    expect(statusBadge(status)).toEqual({ label, tone });
  });

  it('[spec 2.orders.7] only Pending can be paid; Processing, Shipped and Delivered are paid', () => {
    const statuses = [0, 1, 2, 3, 4, 5, 'unreadable'] as const;
    expect(statuses.filter((status) => isPayable({ status }))).toEqual([0]);
    expect(statuses.filter((status) => isPaid({ status }))).toEqual([1, 2, 3]);
  });

  it.each([
    [0, undefined],
    [1, 'This order is already paid.'],
    [2, 'This order is already paid.'],
    [3, 'This order is already paid.'],
    [4, 'This order was cancelled. It cannot be paid.'],
    [5, 'This order takes no payment at the moment.'],
    ['unreadable', 'This order takes no payment at the moment.'],
  ] as const)('[fault 75] [fault 76] %s tells whoever would pay: %s', (status, text) => {
    expect(closedText({ status })).toBe(text);
  });
});

describe('the total', () => {
  it('[spec 2.orders.5] is the sum of price times quantity, in paise', () => {
    expect(orderTotal(anOrder())).toBe(139_800);
    expect(orderTotal(anOrder({ items: [] }))).toBe(0);
  });

  it('[fault 63] is exact for any prices and quantities', () => {
    const item = fc.record({ paise: fc.nat(1e8), quantity: fc.integer({ min: 1, max: 9_999 }) });
    fc.assert(
      fc.property(fc.array(item, { maxLength: 30 }), (items) => {
        const exact = items.reduce((sum, { paise, quantity }) => sum + BigInt(paise) * BigInt(quantity), 0n);
        const wire = items.map(({ paise, quantity }) => ({
          id: 'x',
          name: '',
          quantity,
          price: paise / 100,
        }));
        expect(BigInt(orderTotal({ items: wire }))).toBe(exact);
      }),
    );
  });
});

describe('what is shown of every order', () => {
  it('[spec 3.order.2, 3.order.3] has fixed words for shipping and tracking', () => {
    expect([SHIPPING_METHOD, NO_TRACKING]).toEqual(['Standard Shipping', 'Not available']);
    expect(STATUS).toEqual({ pending: 0, processing: 1, shipped: 2, delivered: 3, cancelled: 4 });
  });

  it('stands on the parcel in three lines', () => {
    expect(addressLines(MEERA)).toEqual([
      'Meera Kulkarni',
      '12 Rose Villa, MG Road',
      'Pune, Maharashtra 411001',
    ]);
  });

  it.each([
    [{ city: '', state: ' ' }, ['Meera Kulkarni', '12 Rose Villa, MG Road', '411001']],
    [{ state: '', postalCode: '' }, ['Meera Kulkarni', '12 Rose Villa, MG Road', 'Pune']],
    [{ fullName: ' ', address: '', city: '', state: '', postalCode: ' ' }, []],
  ])('leaves no trace of missing parts: %j', (missing, lines) => {
    expect(addressLines({ ...MEERA, ...missing })).toEqual(lines);
  });
});
