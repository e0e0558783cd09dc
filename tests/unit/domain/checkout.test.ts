import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CartLine } from '#domain/cart.ts';
import { orderFingerprint } from '#domain/checkout.ts';
import type { ShippingAddress } from '#domain/order.ts';
import { SHIPPING_FIELDS } from '#domain/shipping-address.ts';
import { cartLine } from '#tests/support/cart-line.ts';

const address: ShippingAddress = {
  fullName: 'Asha Rao',
  address: '12 MG Road',
  city: 'Pune',
  state: 'Maharashtra',
  postalCode: '411001',
  phone: '9876543210',
};

const line = (change: Partial<CartLine> = {}): CartLine =>
  cartLine({ quantity: 2, selectedSize: 'M', selectedColor: 'Red', ...change });

const known = orderFingerprint([line()], address);

describe('the fingerprint of an order', () => {
  it.each<Partial<CartLine>>([{ id: 'kiwi' }, { quantity: 3 }, { selectedSize: 'L' }, { selectedColor: '' }])(
    '[fault 21] changes with the line: %j',
    (change) => {
      expect(orderFingerprint([line(change)], address)).not.toBe(known);
    },
  );

  it.each(SHIPPING_FIELDS)('[fault 21] changes with the address: %s', (field) => {
    expect(orderFingerprint([line()], { ...address, [field]: 'other' })).not.toBe(known);
  });

  it('is the same whatever the line costs or is called, and with blanks around the address', () => {
    const padded = { ...address, city: ' Pune ' };
    expect(orderFingerprint([line({ price: 99, name: 'Kesar', image: 'x' })], padded)).toBe(known);
  });

  it('says nothing of the address and may stand in a header', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(fc.string(), fc.string(), (city, phone) => {
        const print = orderFingerprint([line()], { ...address, city: `Pune ${city}`, phone });
        seen.add(print);
        return /^[\da-z]{1,12}$/.test(print);
      }),
    );
    expect(seen.size).toBeGreaterThan(50);
  });
});
