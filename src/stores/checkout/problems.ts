import type { Failure } from '#api/failure.ts';
import type { Cart } from '#domain/cart.ts';
import { toPaise } from '#domain/money.ts';
import type { CheckedLine } from '#domain/price-check.ts';
import {
  ADDRESS_FIELD_NAMES,
  ADDRESS_FIELDS,
  blankAddressFields,
  type ShippingAddress,
} from '#domain/shipping-address.ts';
import type { CheckoutProblem } from './checkout.ts';

/** Delivery costs more than the page showed. After this problem the page shows the new total. */
export const DEARER_DELIVERY: CheckoutProblem = {
  errors: {},
  summary: {
    title: 'Delivery costs more now',
    text: 'Look at the new total. If it is right, create the order again.',
  },
};

/** Why the order cannot be sent, the address first. Returns undefined if it can be sent. */
export function problemOf(
  address: ShippingAddress,
  lines: readonly CheckedLine[],
): CheckoutProblem | undefined {
  const blank = blankAddressFields(address);
  if (blank.length > 0) {
    return {
      errors: Object.fromEntries(blank.map((field) => [field, ADDRESS_FIELDS[field].missing])),
      summary: { title: 'Please fill all fields', text: 'All shipping information fields are required.' },
    };
  }
  if (lines.some(({ isPriced }) => !isPriced)) {
    const title = 'Some items can no longer be ordered';
    return { errors: {}, summary: { title, text: 'Remove them to place your order.' } };
  }
  if (lines.some(({ needsConsent }) => needsConsent)) {
    const title = 'Some prices have gone up';
    return { errors: {}, summary: { title, text: 'Accept the new prices to place your order.' } };
  }
  return undefined;
}

export function refusalOf(failure: Failure, cart: Cart): CheckoutProblem {
  const { target, error, total } = failure.kind === 'refused' ? failure : {};
  if (target === 'total' && total !== undefined) {
    const summary = { ...DEARER_DELIVERY.summary, title: 'Your order costs more now' };
    return { errors: {}, summary, total: toPaise(total) };
  }
  const field = ADDRESS_FIELD_NAMES.find((name) => name === target);
  if (field && error)
    return { errors: { [field]: error }, summary: { title: 'Please correct your address' } };
  return {
    errors: {},
    summary: { title: error ?? 'Failed to create order' },
    ...(error && target && cart.some(({ id }) => id === target)
      ? { refused: { id: target, text: error } }
      : {}),
  };
}
