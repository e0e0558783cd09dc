import * as v from 'valibot';
import { exactPaise } from '#server/payments/providers/exact-json.ts';
import type {
  PaymentReport,
  RefundAnswer,
  ReportedDispute,
  ReportedRefund,
} from '#server/payments/providers/provider.ts';
import { optionalText } from '#server/payments/providers/webhook.ts';

/** https://www.cashfree.com/docs/api-reference/payments/latest/orders/create-order */
export const OrderSchema = v.object({
  order_id: v.string(),
  order_status: v.string(),
  order_amount: v.string(),
  order_currency: v.string(),
  payment_session_id: v.optional(v.string()),
});

/** https://www.cashfree.com/docs/api-reference/payments/latest/payment-links/create */
export const LinkSchema = v.object({
  link_id: v.string(),
  link_status: v.string(),
  link_amount: v.string(),
  link_amount_paid: v.string(),
  link_currency: v.string(),
  link_url: v.string(),
});

/** https://www.cashfree.com/docs/api-reference/payments/latest/payments/get-payments-for-an-order */
export const PaymentSchema = v.object({
  cf_payment_id: optionalText,
  payment_status: v.string(),
  payment_amount: v.string(),
  payment_currency: v.string(),
  payment_message: optionalText,
});

/** https://www.cashfree.com/docs/api-reference/payments/latest/refunds/get */
export const RefundSchema = v.object({
  refund_id: optionalText,
  cf_refund_id: optionalText,
  refund_amount: v.string(),
  refund_status: v.string(),
  refund_type: optionalText,
  status_description: optionalText,
});

/** https://www.cashfree.com/docs/api-reference/payments/latest/disputes/get-disputes-by-order-id */
export const DisputeSchema = v.object({
  dispute_id: v.string(),
  dispute_amount: v.string(),
  dispute_status: v.string(),
  dispute_type: optionalText,
  reason_description: optionalText,
  respond_by: optionalText,
});

const ORDER_OUTCOMES: Readonly<Record<string, PaymentReport['outcome']>> = {
  ACTIVE: 'open',
  PAID: 'succeeded',
  EXPIRED: 'ended',
  TERMINATED: 'ended',
};

export const orderReport = (order: v.InferOutput<typeof OrderSchema>): PaymentReport => ({
  outcome: ORDER_OUTCOMES[order.order_status] ?? 'open',
  amountPaise: exactPaise(order.order_amount),
  currency: order.order_currency,
});

const LINK_OUTCOMES: Readonly<Record<string, PaymentReport['outcome']>> = {
  ACTIVE: 'open',
  PARTIALLY_PAID: 'open',
  PAID: 'succeeded',
  EXPIRED: 'ended',
  CANCELLED: 'ended',
};

export const linkReport = (link: v.InferOutput<typeof LinkSchema>): PaymentReport => ({
  outcome: LINK_OUTCOMES[link.link_status] ?? 'open',
  amountPaise: exactPaise(link.link_amount),
  receivedPaise: exactPaise(link.link_amount_paid),
  currency: link.link_currency,
});

type Refund = v.InferOutput<typeof RefundSchema>;

export function refundAnswer({ refund_status, status_description }: Refund): RefundAnswer {
  if (refund_status === 'SUCCESS') return { state: 'refunded' };
  if (refund_status === 'PENDING' || refund_status === 'ONHOLD') return { state: 'refunding' };
  return { state: 'refund_failed', text: status_description || 'Cashfree could not pay it back.' };
}

/** Cashfree itself refunds payments that came in vain. They never counted. */
export const isOfShop = ({ refund_type }: Refund): boolean =>
  (refund_type ?? 'MERCHANT_INITIATED') === 'MERCHANT_INITIATED';

export const refundOf = (refund: Refund): ReportedRefund => ({
  key: refund.refund_id || refund.cf_refund_id || '',
  paise: exactPaise(refund.refund_amount),
  answer: refundAnswer(refund),
});

/** The ends of CHARGEBACK_MERCHANT_WON and the like. */
const DISPUTE_STATES: readonly (readonly [end: RegExp, state: ReportedDispute['state']])[] = [
  [/_WON$/, 'won'],
  [/_(?:LOST|ACCEPTED)$/, 'lost'],
  [/_(?:DOCS_RECEIVED|UNDER_REVIEW)$/, 'under_review'],
  [/(?:CLOSED|CANCELLED)$/, 'closed'],
];

export const disputeOf = ({
  dispute_id,
  dispute_amount,
  dispute_status,
  dispute_type,
  reason_description,
  respond_by,
}: v.InferOutput<typeof DisputeSchema>): ReportedDispute => ({
  id: dispute_id,
  paise: exactPaise(dispute_amount),
  state: DISPUTE_STATES.find(([end]) => end.test(dispute_status))?.[1] ?? 'open',
  reason: [dispute_type?.toLowerCase().replaceAll('_', ' '), reason_description].filter(Boolean).join(': '),
  respondBy: Date.parse(respond_by ?? '') || null,
});
