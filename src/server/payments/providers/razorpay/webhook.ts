import * as v from 'valibot';
import { parseExact, wholePaise } from '#server/payments/providers/exact-json.ts';
import type { WebhookResult } from '#server/payments/providers/provider.ts';
import { isHmac } from '#server/payments/providers/signature.ts';

/** A payment link's webhook: https://razorpay.com/docs/webhooks/payment-links */
const LinkEventSchema = v.object({
  event: v.picklist(['payment_link.paid', 'payment_link.expired', 'payment_link.cancelled']),
  payload: v.object({
    payment_link: v.object({
      entity: v.object({ reference_id: v.string(), amount_paid: v.string(), currency: v.string() }),
    }),
  }),
});

/** A refund's webhook: https://razorpay.com/docs/webhooks/refunds */
const RefundEventSchema = v.object({
  event: v.picklist(['refund.created', 'refund.processed', 'refund.failed']),
  payload: v.object({ refund: v.object({ entity: v.object({ receipt: v.nullish(v.string()) }) }) }),
});

/** A payment's webhook carries the notes of its link: https://razorpay.com/docs/webhooks/payments */
const PaymentEventSchema = v.object({
  event: v.picklist(['payment.captured', 'payment.failed']),
  payload: v.object({
    payment: v.object({ entity: v.object({ notes: v.object({ reference: v.string() }) }) }),
  }),
});

const AnyEventSchema = v.object({ event: v.string() });

/**
 * Reads a webhook of Razorpay, whose signature is over the raw body: https://razorpay.com/docs/webhooks/validate-test.
 * The signature has no time, so a webhook may be replayed; repeated reports change nothing.
 */
export function readRazorpayWebhook(secret: string, headers: Headers, rawBody: string): WebhookResult {
  if (!isHmac('hex', secret, rawBody, headers.get('x-razorpay-signature')))
    return { kind: 'refused', status: 401, reason: 'wrong signature' };
  let body: unknown;
  try {
    body = parseExact(rawBody);
  } catch {
    return { kind: 'refused', status: 400, reason: 'not JSON' };
  }
  const link = v.safeParse(LinkEventSchema, body);
  if (link.success) {
    const { reference_id, amount_paid, currency } = link.output.payload.payment_link.entity;
    if (link.output.event !== 'payment_link.paid')
      return { kind: 'hint', references: [reference_id], refunds: [] };
    const report = { outcome: 'succeeded', amountPaise: wholePaise(amount_paid), currency } as const;
    return { kind: 'reports', reports: [{ reference: reference_id, ...report }] };
  }
  const refund = v.safeParse(RefundEventSchema, body);
  if (refund.success) {
    const { receipt } = refund.output.payload.refund.entity;
    return { kind: 'hint', references: [], refunds: receipt ? [receipt] : [] };
  }
  const payment = v.safeParse(PaymentEventSchema, body);
  if (payment.success)
    return { kind: 'hint', references: [payment.output.payload.payment.entity.notes.reference], refunds: [] };
  if (v.is(AnyEventSchema, body)) return { kind: 'hint', references: [], refunds: [] };
  return { kind: 'refused', status: 400, reason: 'not a webhook of Razorpay' };
}
