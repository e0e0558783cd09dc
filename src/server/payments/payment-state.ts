import type { Paise } from '#domain/money.ts';
import { isPayable } from '#domain/order-status.ts';
import type { PaymentReport } from './providers/provider.ts';

/**
 * A payment begins as `started`, or as `to_collect` where it is paid at the door. A report changes `started`, and `failed`
 * as well, because a success may be reported late. No report changes the other states, so a payment that is paid stays
 * so. The staff change `to_collect`. What is paid becomes `refund_due` when its order is cancelled, and what
 * was `refund_due` or `flagged` becomes `refunded` when all of it was given back (`refunds.ts`).
 */
export const PAYMENT_STATES = [
  'started',
  'to_collect',
  'failed',
  'paid',
  'flagged',
  'refund_due',
  'refunded',
] as const;

export type PaymentState = (typeof PAYMENT_STATES)[number];

/** Whether somebody of the staff must look at a payment in this state. */
export const isProblem = (state: PaymentState): boolean => state === 'flagged' || state === 'refund_due';

/** What is stored about a payment before a report. */
export interface CurrentPayment {
  readonly state: PaymentState;
  readonly amountPaise: Paise;
  readonly currency: string;
}

const isOpen = (state: PaymentState): boolean => state === 'started' || state === 'failed';

/**
 * The state of a payment after a report. A wrong amount or currency is `flagged`, for a person to look at. Money for an
 * order that no longer waits for it, because it was cancelled or paid in another tab, is `refund_due`.
 */
export function nextPaymentState(
  payment: CurrentPayment,
  orderStatus: number,
  report: PaymentReport,
): PaymentState {
  if (!isOpen(payment.state) || report.outcome === 'open') return payment.state;
  if (report.outcome !== 'succeeded') return 'failed';
  if (report.amountPaise !== payment.amountPaise || report.currency !== payment.currency) return 'flagged';
  return isPayable({ status: orderStatus }) ? 'paid' : 'refund_due';
}
