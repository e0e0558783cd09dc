import { describe, expect, it } from 'vitest';
import type { Order } from '#domain/order.ts';
import {
  blankShippingFields,
  EMPTY_ADDRESS,
  isSameOrder,
  postalCodeHint,
  trimAddress,
} from '#domain/shipping-address.ts';

const address = {
  fullName: 'Meera Kulkarni',
  address: '12 Rose Villa, MG Road',
  city: 'Pune',
  state: 'Maharashtra',
  postalCode: '411001',
  phone: '+919876543210',
};

const order = (change: Partial<Order> = {}): Order => ({
  id: '7f3e21ab',
  status: 0,
  createdAt: '2026-11-12T08:00:00Z',
  items: [
    { id: 'mango', name: 'Alphonso Mango', quantity: 1, price: 899 },
    { id: 'strawberry', name: 'Strawberries', quantity: 2, price: 249.5 },
  ],
  shippingAddress: address,
  ...change,
});

describe('the shipping address', () => {
  it('[spec 5.checkout.2] names the fields that are blank after trimming', () => {
    expect(blankShippingFields({ ...address, city: ' \t', phone: '' })).toEqual(['city', 'phone']);
    expect(blankShippingFields(EMPTY_ADDRESS)).toHaveLength(6);
    expect(blankShippingFields(address)).toEqual([]);
  });

  it('is sent trimmed', () => {
    expect(trimAddress({ ...address, city: ' Pune ' })).toEqual(address);
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
    expect(isSameOrder(order(), products, { ...address, city: ' Pune ' })).toBe(true);
  });

  it.each([
    [{ mango: 1 }, address],
    [{ mango: 2, strawberry: 2 }, address],
    [{ mango: 1, strawberry: 2, kiwi: 1 }, address],
    [products, { ...address, postalCode: '411002' }],
  ])('[fault 20] refuses %j to %j', (wanted, to) => {
    expect(isSameOrder(order(), wanted, to)).toBe(false);
  });
});
