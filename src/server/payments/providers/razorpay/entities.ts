import * as v from 'valibot';
import { wholePaise } from '#server/payments/providers/exact-json.ts';
import type {
  PaymentReport,
  RefundAnswer,
  ReportedDispute,
  ReportedRefund,
} from '#server/payments/providers/provider.ts';
import { optionalText } from '#server/payments/providers/webhook.ts';

/** https://razorpay.com/docs/api/payments/payment-links/entity */
export const LinkSchema = v.object({
  id: v.string(),
  status: v.string(),
  amount: v.string(),
  amount_paid: v.string(),
  currency: v.string(),
  reference_id: v.string(),
  short_url: optionalText,
  payments: v.nullish(
    v.array(v.object({ payment_id: v.string(), status: v.string(), amount: v.optional(v.string()) })),
  ),
});

export type Link = v.InferOutput<typeof LinkSchema>;

/** https://razorpay.com/docs/api/refunds/entity */
export const RefundSchema = v.object({
  id: v.string(),
  status: v.string(),
  amount: v.string(),
  receipt: optionalText,
  payment_id: optionalText,
});

/** https://razorpay.com/docs/api/disputes/entity */
export const DisputeSchema = v.object({
  id: v.string(),
  payment_id: v.string(),
  amount: v.string(),
  status: v.string(),
  phase: optionalText,
  reason_code: optionalText,
  reason_description: optionalText,
  respond_by: optionalText,
});

const OUTCOMES: Readonly<Record<string, PaymentReport['outcome']>> = {
  created: 'open',
  partially_paid: 'open',
  paid: 'succeeded',
  expired: 'ended',
  cancelled: 'ended',
};

/** The payment that paid a link. */
export const paidBy = ({ payments }: Link) =>
  payments?.find(({ status }) => status === 'captured' || status === 'refunded');

/** A bank may confirm a payment after its link has ended. Razorpay's offers make the paid amount smaller. */
export function linkReport(link: Link): PaymentReport {
  const outcome = OUTCOMES[link.status] ?? 'open';
  const late = outcome === 'ended' ? paidBy(link) : undefined;
  const { currency } = link;
  if (late)
    return { outcome: 'succeeded', amountPaise: wholePaise(late.amount ?? link.amount_paid), currency };
  const receivedPaise = wholePaise(link.amount_paid);
  return {
    outcome,
    amountPaise: receivedPaise === undefined ? undefined : wholePaise(link.amount),
    receivedPaise,
    currency,
  };
}

const REFUND_STATES: Readonly<Record<string, RefundAnswer>> = {
  processed: { state: 'refunded' },
  failed: { state: 'refund_failed', text: 'Razorpay could not pay it back.' },
};

type Refund = v.InferOutput<typeof RefundSchema>;

export const refundAnswer = ({ status }: Refund): RefundAnswer =>
  REFUND_STATES[status] ?? { state: 'refunding' };

/** The shop's own refunds carry their key as receipt. */
export const refundOf = (refund: Refund): ReportedRefund => ({
  key: refund.receipt || refund.id,
  paise: wholePaise(refund.amount),
  answer: refundAnswer(refund),
});

const DISPUTE_STATES: Readonly<Record<string, ReportedDispute['state']>> = {
  under_review: 'under_review',
  won: 'won',
  lost: 'lost',
  closed: 'closed',
};

export const disputeOf = ({
  id,
  amount,
  status,
  phase,
  reason_code,
  reason_description,
  respond_by,
}: v.InferOutput<typeof DisputeSchema>): ReportedDispute => ({
  id,
  paise: wholePaise(amount),
  state: DISPUTE_STATES[status] ?? 'open',
  reason: [phase, reason_description || reason_code].filter(Boolean).join(': ').replaceAll('_', ' '),
  // In s. Longer numbers are no time.
  respondBy: /^\d{1,12}$/.test(respond_by ?? '') ? Number(respond_by) * 1_000 : null,
});
