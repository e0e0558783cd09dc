import * as v from 'valibot';
import { exactPaise, parseExact } from '#server/payments/providers/exact-json.ts';
import type { WebhookResult } from '#server/payments/providers/provider.ts';
import { isHmac } from '#server/payments/providers/signature.ts';

/** The maximum age of a trusted webhook, in ms. An older one may be a replay, and only causes a poll. */
const MOST_AGE = 5 * 60_000;

/** A payment's webhook: https://www.cashfree.com/docs/api-reference/payments/latest/payments/webhooks */
const PaymentEventSchema = v.object({
  type: v.picklist(['PAYMENT_SUCCESS_WEBHOOK', 'PAYMENT_FAILED_WEBHOOK', 'PAYMENT_USER_DROPPED_WEBHOOK']),
  data: v.object({
    order: v.object({
      order_id: v.string(),
      order_tags: v.nullish(v.object({ link_id: v.optional(v.string()) })),
    }),
    payment: v.object({
      payment_status: v.string(),
      payment_amount: v.string(),
      payment_currency: v.string(),
    }),
  }),
});

/** https://www.cashfree.com/docs/api-reference/payments/latest/payment-links/webhooks */
const LinkEventSchema = v.object({
  type: v.literal('PAYMENT_LINK_EVENT'),
  data: v.object({ link_id: v.string() }),
});

/** https://www.cashfree.com/docs/api-reference/payments/latest/refunds/webhooks */
const RefundEventSchema = v.object({
  type: v.picklist(['REFUND_STATUS_WEBHOOK', 'AUTO_REFUND_STATUS_WEBHOOK']),
  data: v.object({ refund: v.object({ refund_id: v.nullish(v.string()) }) }),
});

const AnyEventSchema = v.object({ type: v.string() });

/**
 * Reads a webhook of Cashfree, whose signature is over timestamp and raw body:
 * https://www.cashfree.com/docs/payments/online/webhooks/signature-verification. @param now ms since 1970
 */
export function readCashfreeWebhook(
  secret: string,
  headers: Headers,
  rawBody: string,
  now: number,
): WebhookResult {
  const timestamp = headers.get('x-webhook-timestamp') ?? '';
  if (!isHmac('base64', secret, timestamp + rawBody, headers.get('x-webhook-signature')))
    return { kind: 'refused', status: 401, reason: 'wrong signature' };
  let body: unknown;
  try {
    body = parseExact(rawBody);
  } catch {
    return { kind: 'refused', status: 400, reason: 'not JSON' };
  }
  const event = v.safeParse(PaymentEventSchema, body);
  if (event.success) {
    const { order, payment } = event.output.data;
    const reference = order.order_tags?.link_id ?? order.order_id;
    const isFresh = Math.abs(now - Number(timestamp)) <= MOST_AGE;
    if (!isFresh || payment.payment_status !== 'SUCCESS')
      return { kind: 'hint', references: [reference], refunds: [] };
    const amountPaise = exactPaise(payment.payment_amount);
    const report = { outcome: 'succeeded', amountPaise, currency: payment.payment_currency } as const;
    return { kind: 'reports', reports: [{ reference, ...report }] };
  }
  const link = v.safeParse(LinkEventSchema, body);
  if (link.success) return { kind: 'hint', references: [link.output.data.link_id], refunds: [] };
  const refund = v.safeParse(RefundEventSchema, body);
  if (refund.success) {
    const { refund_id } = refund.output.data.refund;
    return { kind: 'hint', references: [], refunds: refund_id ? [refund_id] : [] };
  }
  if (v.is(AnyEventSchema, body)) return { kind: 'hint', references: [], refunds: [] };
  return { kind: 'refused', status: 400, reason: 'not a webhook of Cashfree' };
}
