import { isPayable } from '#domain/order-status.ts';
import type { PaymentState } from '#server/db/tables.ts';
import type { PaymentOrder, PaymentReport } from './providers/provider.ts';

/*
 * A payment starts as `started`, or as `to_collect` if it is paid on delivery. Reports change `started`, and `failed`
 * because a success may arrive late. No report changes any other state, so a paid payment stays paid. Staff change
 * `to_collect`. `paid` becomes `refund_due` when its order is cancelled. Money that was received becomes `refunded` once
 * nothing of it is left (`refunds.ts`).
 */

/** The states that a report may still change. */
export const OPEN: readonly PaymentState[] = ['started', 'failed'];

export const isOpen = (state: PaymentState): boolean => OPEN.includes(state);

/** Whether a payment in this state needs the attention of the staff. */
export const isProblem = (state: PaymentState): boolean => state === 'flagged' || state === 'refund_due';

/** Whether a payment in this state can be refunded. */
export const holdsMoney = (state: PaymentState): boolean => state === 'paid' || isProblem(state);

/**
 * Returns the state after a report. A wrong amount or currency is `flagged` for the staff; less than was asked for is
 * right if the provider calls it paid, because it gave a discount. Money for an order that was cancelled, or paid in
 * another tab, is `refund_due`.
 */
export function nextPaymentState(
  payment: Pick<PaymentOrder, 'amountPaise' | 'currency'> & { readonly state: PaymentState },
  orderStatus: number,
  report: PaymentReport,
): PaymentState {
  if (!isOpen(payment.state) || report.outcome === 'open') return payment.state;
  if (report.outcome !== 'succeeded') return 'failed';
  const { amountPaise, currency, receivedPaise = 0 } = report;
  if (amountPaise !== payment.amountPaise || currency !== payment.currency || receivedPaise > amountPaise)
    return 'flagged';
  return isPayable({ status: orderStatus }) ? 'paid' : 'refund_due';
}
