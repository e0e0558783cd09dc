import { atom, computed } from 'nanostores';
import type { Paise } from '#domain/money.ts';
import type { Amounts } from '#domain/order-amounts.ts';
import type { AddressField, ShippingAddress } from '#domain/shipping-address.ts';
import { $amounts } from '#stores/cart/price-check.ts';
import { $address } from './shipping-address.ts';
import { storeShownTotal } from './shown-total.ts';

export const CART_EMPTY = {
  title: 'Cart is empty',
  text: 'Please add items to your cart before checkout.',
  tone: 'error',
} as const;

/** Without the sentence of the API. */
export const REFUSED = {
  title: 'Error placing order',
  text: 'Please try again later.',
  tone: 'error',
} as const;

export interface CheckoutProblem {
  readonly errors: Partial<Record<AddressField, string>>;
  readonly summary: { readonly title: string; readonly text?: string };
  readonly refused?: { readonly id: string; readonly text: string } | undefined;
  /** What the order costs by the server, if that is more than was shown. Units: paise. */
  readonly total?: Paise;
}

/** The browser reports no network, and the API has not answered either. Nothing was sent. */
export const OFFLINE: CheckoutProblem = {
  errors: {},
  summary: {
    title: 'You seem to be offline. Your address is kept; connect to the internet to place your order.',
  },
};

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
  | { readonly status: 'placed'; readonly orderId: string; readonly isResumed?: boolean };

export const $checkout = atom<Checkout>({ status: 'editing' });

/** The amounts to agree to. A total that the server has named counts, because an order is created at that. */
export const $amountsToAgree = computed(
  [$amounts, $checkout],
  (amounts, checkout): Amounts =>
    checkout.status === 'failed' && checkout.total !== undefined
      ? { ...amounts, total: checkout.total }
      : amounts,
);

let failureCount = 0;

export function showProblem(problem: CheckoutProblem): void {
  failureCount += 1;
  $checkout.set({ ...problem, status: 'failed', address: $address.get(), attempt: failureCount });
}

/** @param shownTotal of the order, if this page has sent it */
export function showLeaving(orderId: string, shownTotal?: Paise): void {
  if (shownTotal !== undefined) storeShownTotal(orderId, shownTotal);
  $checkout.set({ status: 'leaving', orderId });
}
