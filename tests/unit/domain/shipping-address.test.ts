import { describe, expect, it } from 'vitest';
import {
  blankShippingFields,
  EMPTY_ADDRESS,
  isSameOrder,
  postalCodeHint,
  trimAddress,
} from '#domain/shipping-address.ts';
import { anOrder, MEERA } from '#tests/support/order.ts';

describe('the shipping address', () => {
  it('[spec 5.checkout.2] names the fields that are blank after trimming', () => {
    expect(blankShippingFields({ ...MEERA, city: ' \t', phone: '' })).toEqual(['city', 'phone']);
    expect(blankShippingFields(EMPTY_ADDRESS)).toHaveLength(6);
    expect(blankShippingFields(MEERA)).toEqual([]);
  });

  it('is sent trimmed', () => {
    expect(trimAddress({ ...MEERA, city: ' Pune ' })).toEqual(MEERA);
  });

  it.each([
    ['411001', undefined],
    ['411 001', undefined],
    ['', undefined],
    ['011001', 'PIN codes have 6 digits and do not start with 0.'],
    ['41100', 'PIN codes have 6 digits and do not start with 0.'],
  ])('[spec 5.checkout.3] advises on the PIN code %j: %j', (code, hint) => {
    expect(postalCodeHint(code)).toBe(hint);
  });
});

describe('finding an order whose answer was lost', () => {
  const products = { mango: 1, strawberry: 2 };

  it('[fault 20] takes equal quantities and an equal address', () => {
    expect(isSameOrder(anOrder(), products, { ...MEERA, city: ' Pune ' })).toBe(true);
  });

  it.each([
    [{ mango: 1 }, MEERA],
    [{ mango: 2, strawberry: 2 }, MEERA],
    [{ mango: 1, strawberry: 2, kiwi: 1 }, MEERA],
    [products, { ...MEERA, postalCode: '411002' }],
  ])('[fault 20] refuses %j to %j', (wanted, to) => {
    expect(isSameOrder(anOrder(), wanted, to)).toBe(false);
  });
});
