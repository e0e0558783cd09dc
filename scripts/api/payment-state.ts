import type { Paise } from '#domain/money.ts';
import { STATUS } from '#domain/order.ts';

/**
 * started → failed, paid, flagged or refund_due; failed → the same (a success may come late). The last three are ends:
 * a paid payment never goes back (faults 77).
 */
export const PAYMENT_STATES = ['started', 'failed', 'paid', 'flagged', 'refund_due'] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

/** What the gateway says of a payment. */
export interface PaymentReport {
  readonly outcome: 'succeeded' | 'failed';
  /** Undefined where it cannot be read. */
  readonly amountPaise: Paise | undefined;
  readonly currency: string;
}

export interface OpenPayment {
  readonly state: PaymentState;
  readonly amountPaise: Paise;
  readonly currency: string;
}

const isOpen = (state: PaymentState): boolean => state === 'started' || state === 'failed';

/**
 * The state after a report. 'paid' moves the order on from Pending; money that came for an order which no longer
 * waits for it (cancelled, or paid in another tab) is owed back; a wrong amount or currency is for a person to look at.
 */
export function nextPaymentState(
  payment: OpenPayment,
  orderStatus: number,
  report: PaymentReport,
): PaymentState {
  if (!isOpen(payment.state)) return payment.state;
  if (report.outcome === 'failed') return 'failed';
  if (report.amountPaise !== payment.amountPaise || report.currency !== payment.currency) return 'flagged';
  return orderStatus === STATUS.pending ? 'paid' : 'refund_due';
}
