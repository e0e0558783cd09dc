import { atom } from 'nanostores';
import type { ShippingAddress } from '#domain/shipping-address.ts';
import type { CheckoutProblem } from './checkout-problems.ts';
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
