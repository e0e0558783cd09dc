import type { Order, ShippingAddress } from './order.ts';

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

/**
 * Whether an order holds just these quantities and goes to this address: how an order whose answer was lost is
 * found again among the user's orders (faults 20).
 */
export function isSameOrder(
  order: Order,
  products: Readonly<Record<string, number>>,
  address: ShippingAddress,
): boolean {
  const ordered = new Map<string, number>();
  for (const { id, quantity } of order.items) ordered.set(id, (ordered.get(id) ?? 0) + quantity);
  const wanted = Object.entries(products);
  const sameItems =
    ordered.size === wanted.length && wanted.every(([id, quantity]) => ordered.get(id) === quantity);
  const trimmed = trimAddress(address);
  return (
    sameItems &&
    (['address', 'city', 'state', 'postalCode'] as const).every(
      (field) => order.shippingAddress[field].trim() === trimmed[field],
    )
  );
}
