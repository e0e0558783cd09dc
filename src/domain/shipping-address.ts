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

/** The fields that are blank after trimming. Nothing else blocks an order (spec 5; resolutions 34). */
export const blankShippingFields = (address: ShippingAddress): (keyof ShippingAddress)[] =>
  SHIPPING_FIELDS.filter((field) => address[field].trim() === '');

/** The most characters of a stored field. */
const TEXT_LIMIT = 2_000;

const TIDY: Partial<Record<keyof ShippingAddress, (text: string) => string>> = {
  postalCode: tidyPin,
  phone: tidyPhone,
};

/** Turns a PIN code or phone number into its usual form. Leaves any other text unchanged. */
export const tidyField = (field: keyof ShippingAddress, text: string): string => TIDY[field]?.(text) ?? text;

/** Whether the text grew by more than one key press can add, so it was pasted or filled in by the browser. */
export const isPasted = (text: string, before: string): boolean => text.length - before.length > 1;

/** Reads a stored address. A field that is not a text becomes ''. Returns undefined for a value that is no object. */
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

/** Returns advice that does not block the order, or undefined (resolutions 34). */
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
 * Whether an order has exactly these quantities and this address. Finds an order among the user's orders when the
 * response to its creation was lost (faults 20).
 */
export function isSameOrder(order: Order, cart: Cart, address: ShippingAddress): boolean {
  // On some servers the id of an item is not the id of its product.
  const sameItems = (['id', 'name'] as const).some((key) => {
    const ordered = quantitiesBy(order.items, key);
    const inCart = quantitiesBy(cart, key);
    return ordered.size === inCart.size && [...inCart].every(([name, count]) => ordered.get(name) === count);
  });
  const trimmed = trimAddress(address);
  return (
    sameItems &&
    (['address', 'city', 'state', 'postalCode'] as const).every(
      (field) => order.shippingAddress[field].trim() === trimmed[field],
    )
  );
}
