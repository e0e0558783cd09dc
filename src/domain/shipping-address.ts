import type { Cart } from './cart.ts';
import type { Order, OrderItem, ShippingAddress } from './order.ts';
import { tidyPhone } from './phone.ts';
import { tidyPin } from './pin-code.ts';

export const SHIPPING_FIELDS = ['fullName', 'address', 'city', 'state', 'postalCode', 'phone'] as const;

export const EMPTY_ADDRESS: ShippingAddress = {
  fullName: '',
  address: '',
  city: '',
  state: '',
  postalCode: '',
  phone: '',
};

/** The fields that are blank after trimming; nothing else blocks an order (spec 5; resolutions 34). */
export const blankShippingFields = (address: ShippingAddress): (keyof ShippingAddress)[] =>
  SHIPPING_FIELDS.filter((field) => address[field].trim() === '');

/** Characters of a stored text at most. */
const TEXT_LIMIT = 2_000;

const TIDY: Partial<Record<keyof ShippingAddress, (text: string) => string>> = {
  postalCode: tidyPin,
  phone: tidyPhone,
};

/** A PIN code or phone number in its usual form, where the text is one; everything else as it is. */
export const tidyField = (field: keyof ShippingAddress, text: string): string => TIDY[field]?.(text) ?? text;

/** Whether more came at once than a key types: pasted, or filled in by the browser. */
export const isPasted = (text: string, before: string): boolean => text.length - before.length > 1;

/** What storage holds, as an address: texts are kept, the rest is ''. Nothing for what is no object. */
export function decodeAddress(value: unknown): ShippingAddress | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const texts: Partial<Record<keyof ShippingAddress, unknown>> = value;
  const address: Record<keyof ShippingAddress, string> = { ...EMPTY_ADDRESS };
  for (const field of SHIPPING_FIELDS) {
    const text = texts[field];
    if (typeof text === 'string') address[field] = text.slice(0, TEXT_LIMIT);
  }
  return address;
}

export function trimAddress(address: ShippingAddress): ShippingAddress {
  return {
    fullName: address.fullName.trim(),
    address: address.address.trim(),
    city: address.city.trim(),
    state: address.state.trim(),
    postalCode: address.postalCode.trim(),
    phone: address.phone.trim(),
  };
}

/** A text that advises and does not block, or nothing (resolutions 34). */
export const postalCodeHint = (postalCode: string): string | undefined =>
  postalCode.trim() === '' || /^[1-9]\d{2}\s?\d{3}$/.test(postalCode.trim())
    ? undefined
    : 'PIN codes have 6 digits and do not start with 0.';

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
 * Whether an order holds just these quantities and goes to this address: how an order whose answer was lost is
 * found again among the user's orders (faults 20).
 */
export function isSameOrder(order: Order, cart: Cart, address: ShippingAddress): boolean {
  // Some servers number the items and not the products.
  const sameItems = (['id', 'name'] as const).some((key) => {
    const ordered = quantitiesBy(order.items, key);
    const wanted = quantitiesBy(cart, key);
    return ordered.size === wanted.size && [...wanted].every(([name, count]) => ordered.get(name) === count);
  });
  const trimmed = trimAddress(address);
  return (
    sameItems &&
    (['address', 'city', 'state', 'postalCode'] as const).every(
      (field) => order.shippingAddress[field].trim() === trimmed[field],
    )
  );
}
