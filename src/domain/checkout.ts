import type { Cart } from './cart.ts';
import type { ShippingAddress } from './order.ts';
import { SHIPPING_FIELDS, trimAddress } from './shipping-address.ts';

/** cyrb53: its 53 bits tell orders apart and do not reveal the address. */
function hash(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 2_654_435_761);
    low = Math.imul(low ^ unit, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return ((low >>> 0) * 2 ** 21 + (high >>> 11)).toString(36);
}

/** Two orders have the same fingerprint if they have the same lines and address. Prices do not count. */
export function orderFingerprint(cart: Cart, address: ShippingAddress): string {
  const lines = cart.map(({ id, selectedSize, selectedColor, quantity }) => [
    id,
    selectedSize,
    selectedColor,
    quantity,
  ]);
  const trimmed = trimAddress(address);
  return hash(JSON.stringify([lines, SHIPPING_FIELDS.map((field) => trimmed[field])]));
}
