import type { Cart } from './cart.ts';
import type { Order, OrderItem } from './order.ts';
import { ADDRESS_FIELD_NAMES, type ShippingAddress } from './shipping-address.ts';

/* Two orders are the same if they have the same items and address. */

/** Leaves out blank fields, so that a new optional field does not change the stored hashes of orders without it. */
const addressParts = (address: ShippingAddress): string[] =>
  ADDRESS_FIELD_NAMES.map((field) => address[field].trim()).filter((text) => text !== '');

/** cyrb53: 53 bits distinguish orders and do not reveal the address. */
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

/** Equal for the same lines and address, whatever the prices. */
export function orderFingerprint(cart: Cart, address: ShippingAddress): string {
  const lines = cart.map(({ id, selectedSize, selectedColor, quantity }) => [
    id,
    selectedSize,
    selectedColor,
    quantity,
  ]);
  return hash(JSON.stringify([lines, addressParts(address)]));
}

/**
 * Returns a text that is equal for equivalent requests, whatever the order of their products. The API stores its hash:
 * if the format changes, an order that is retried during an upgrade is refused.
 */
export const orderMeaning = (
  products: Readonly<Record<string, number>>,
  address: ShippingAddress,
  lines: unknown,
): string =>
  JSON.stringify([
    Object.entries(products).sort(([a], [b]) => (a < b ? -1 : 1)),
    addressParts(address),
    lines ?? null,
  ]);

function quantitiesBy(
  items: readonly Pick<OrderItem, 'id' | 'name' | 'quantity'>[],
  key: 'id' | 'name',
): Map<string, number> {
  const quantities = new Map<string, number>();
  for (const item of items) {
    const name = item[key].trim();
    quantities.set(name, (quantities.get(name) ?? 0) + item.quantity);
  }
  return quantities;
}

/**
 * Whether an order has exactly these quantities and this address. Finds the order among the customer's orders if the
 * response to its creation was lost.
 */
export function isSameOrder(order: Order, cart: Cart, address: ShippingAddress): boolean {
  // On some servers the id of an item is not the id of its product.
  const sameItems = (['id', 'name'] as const).some((key) => {
    const ordered = quantitiesBy(order.items, key);
    const inCart = quantitiesBy(cart, key);
    return ordered.size === inCart.size && [...inCart].every(([name, count]) => ordered.get(name) === count);
  });
  return (
    sameItems &&
    (['address', 'city', 'state', 'postalCode'] as const).every(
      (field) => order.shippingAddress[field].trim() === address[field].trim(),
    )
  );
}
