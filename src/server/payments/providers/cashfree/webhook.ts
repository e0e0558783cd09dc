import * as v from 'valibot';
import { exactPaise } from '#server/payments/providers/exact-json.ts';
import type { WebhookNews, WebhookResult } from '#server/payments/providers/provider.ts';
import { isHmac, namesOf, optionalText, part, readSigned } from '#server/payments/providers/webhook.ts';
import { DisputeSchema, disputeOf, PaymentSchema, RefundSchema, refundOf } from './entities.ts';

/** The maximum age of a trusted webhook, in ms. An older one may be a replay, and only causes a poll. */
const MOST_AGE = 5 * 60_000;

/**
 * https://www.cashfree.com/docs/api-reference/payments/latest/payments/webhooks, and those beside it of payment links,
 * refunds and disputes.
 */
const EventSchema = v.object({
  type: v.string(),
  data: v.fallback(
    v.object({
      order: part({
        order_id: v.string(),
        order_amount: optionalText,
        order_tags: part({ link_id: optionalText }),
      }),
      payment: part(PaymentSchema.entries),
      payment_offers: v.fallback(v.nullish(v.array(v.unknown())), undefined),
      link_id: optionalText,
      refund: part({ ...RefundSchema.entries, order_id: optionalText, cf_payment_id: optionalText }),
      auto_refund: part({ order_id: optionalText }),
      dispute: part(DisputeSchema.entries),
      order_details: part({ order_id: optionalText, cf_payment_id: optionalText }),
    }),
    {},
  ),
});

type EventData = v.InferOutput<typeof EventSchema>['data'];

/**
 * A success is trusted if all of the order's amount came, or an offer of Cashfree explains the rest. Otherwise the poll
 * decides.
 */
function reportOf({ order, payment, payment_offers, refund, dispute }: EventData): WebhookNews['report'] {
  if (payment?.payment_status === 'SUCCESS') {
    const [receivedPaise, asked] = [
      exactPaise(payment.payment_amount),
      exactPaise(order?.order_amount ?? payment.payment_amount),
    ];
    const { cf_payment_id: paymentId, payment_currency: currency } = payment;
    return asked === receivedPaise || payment_offers?.length
      ? { outcome: 'succeeded', amountPaise: asked, receivedPaise, currency, paymentId }
      : { outcome: 'open', paymentId };
  }
  return {
    outcome: 'open',
    words: payment?.payment_message,
    ...(refund ? { refunds: [refundOf(refund)] } : {}),
    ...(dispute ? { disputes: [disputeOf(dispute)] } : {}),
  };
}

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
  const isSigned = isHmac('base64', secret, timestamp + rawBody, headers.get('x-webhook-signature'));
  return readSigned(isSigned, rawBody, (body) => {
    const parsed = v.safeParse(EventSchema, body);
    if (!parsed.success) return undefined;
    const { data } = parsed.output;
    const { order, payment, link_id, refund, auto_refund, order_details } = data;
    const names = namesOf(
      link_id,
      order?.order_tags?.link_id,
      order?.order_id,
      refund?.order_id,
      auto_refund?.order_id,
      order_details?.order_id,
      payment?.cf_payment_id,
      refund?.cf_payment_id,
      order_details?.cf_payment_id,
    );
    const isFresh = Math.abs(now - Number(timestamp)) <= MOST_AGE;
    return { names, report: isFresh ? reportOf(data) : undefined };
  });
}
