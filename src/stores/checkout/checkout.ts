import { atom } from 'nanostores';
import type { Failure } from '#api/failure.ts';
import type { Cart } from '#domain/cart.ts';
import type { CheckedLine } from '#domain/price-check.ts';
import {
  ADDRESS_FIELDS,
  blankShippingFields,
  SHIPPING_FIELDS,
  type ShippingAddress,
} from '#domain/shipping-address.ts';
import { $address } from './shipping-address.ts';

export const CART_EMPTY = {
  title: 'Cart is empty',
  text: 'Please add items to your cart before checkout.',
  tone: 'error',
} as const;

export const REFUSED = {
  title: 'Error placing order',
  text: 'Please try again later.',
  tone: 'error',
} as const;

export interface CheckoutProblem {
  readonly errors: Partial<Record<keyof ShippingAddress, string>>;
  readonly summary: { readonly title: string; readonly text?: string };
  readonly refused?: { readonly id: string; readonly text: string };
}

/** Delivery costs more than the page showed. After this problem the page shows the new total. */
export const DEARER_DELIVERY: CheckoutProblem = {
  errors: {},
  summary: {
    title: 'Delivery costs more now',
    text: 'Look at the new total. If it is right, create the order again.',
  },
};

/** The browser reports no network, and the API has not answered either. Nothing was sent. */
export const OFFLINE: CheckoutProblem = {
  errors: {},
  summary: {
    title: 'You seem to be offline. Your address is kept; connect to the internet to place your order.',
  },
};

/** Why the order cannot be sent, the address first. Returns undefined if it can be sent. */
export function problemOf(
  address: ShippingAddress,
  lines: readonly CheckedLine[],
): CheckoutProblem | undefined {
  const blank = blankShippingFields(address);
  if (blank.length > 0) {
    return {
      errors: Object.fromEntries(blank.map((field) => [field, ADDRESS_FIELDS[field].missing])),
      summary: { title: 'Please fill all fields', text: 'All shipping information fields are required.' },
    };
  }
  if (lines.some(({ availability }) => availability !== 'sold')) {
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
  const { target, error } = failure.kind === 'refused' ? failure : {};
  const field = SHIPPING_FIELDS.find((name) => name === target);
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

interface FailedCheckout extends CheckoutProblem {
  readonly status: 'failed';
  readonly address: ShippingAddress;
  /** The number of failed attempts. The error summary takes the focus when it changes. */
  readonly attempt: number;
}

export type Checkout =
  | { readonly status: 'editing' | 'placing' }
  | FailedCheckout
  /** The order was sent, but it is unknown whether it was created. */
  | { readonly status: 'unknown' }
  /** The order has been created, and its payment page is about to open. */
  | { readonly status: 'leaving'; readonly orderId: string }
  /** The order was created in another tab, or the customer has come back from its payment. */
  | { readonly status: 'placed'; readonly orderId: string };

export const $checkout = atom<Checkout>({ status: 'editing' });

let failureCount = 0;

export function showProblem(problem: CheckoutProblem): void {
  failureCount += 1;
  $checkout.set({ ...problem, status: 'failed', address: $address.get(), attempt: failureCount });
}
