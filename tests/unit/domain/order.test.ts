import { describe, expect, it } from 'vitest';
import { addressLines, SHIPPING_TEXT, TRACKING_TEXT } from '#domain/order.ts';
import { MEERA } from '#tests/support/order.ts';

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
