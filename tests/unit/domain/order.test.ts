import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressLines, orderTotal, SHIPPING_TEXT, TRACKING_TEXT } from '#domain/order.ts';
import { anOrder, MEERA } from '#tests/support/order.ts';

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
    expect([SHIPPING_TEXT, TRACKING_TEXT]).toEqual(['Standard Shipping', 'Not available']);
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
