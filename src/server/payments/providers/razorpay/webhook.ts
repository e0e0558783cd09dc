import * as v from 'valibot';
import type { WebhookResult } from '#server/payments/providers/provider.ts';
import { isHmac, namesOf, optionalText, part, readSigned } from '#server/payments/providers/webhook.ts';
import { DisputeSchema, disputeOf, LinkSchema, linkReport, RefundSchema, refundOf } from './entities.ts';

const entity = <S extends v.ObjectEntries>(entries: S) => part({ entity: v.object(entries) });

/** https://razorpay.com/docs/webhooks/payloads: a payment link's, a payment's, a refund's or a dispute's. */
const EventSchema = v.object({
  event: v.string(),
  payload: v.fallback(
    v.object({
      payment_link: entity(LinkSchema.entries),
      payment: entity({
        id: optionalText,
        notes: part({ reference: optionalText }),
        description: optionalText,
        error_description: optionalText,
      }),
      refund: entity(RefundSchema.entries),
      dispute: entity(DisputeSchema.entries),
    }),
    {},
  ),
});

/**
 * Reads a webhook of Razorpay, whose signature is over the raw body: https://razorpay.com/docs/webhooks/validate-test.
 * The signature has no time, so a webhook may be replayed; repeated reports change nothing.
 */
export const readRazorpayWebhook = (secret: string, headers: Headers, rawBody: string): WebhookResult =>
  readSigned(isHmac('hex', secret, rawBody, headers.get('x-razorpay-signature')), rawBody, (body) => {
    const parsed = v.safeParse(EventSchema, body);
    if (!parsed.success) return undefined;
    const { event, payload } = parsed.output;
    const [link, payment, refund, dispute] = [
      payload.payment_link?.entity,
      payload.payment?.entity,
      payload.refund?.entity,
      payload.dispute?.entity,
    ];
    // The payment of a link is described by the link's id.
    const linkId = /^#(\w+)$/.exec(payment?.description ?? '')?.[1];
    const names = namesOf(
      link?.reference_id,
      link?.id,
      payment?.notes?.reference,
      payment?.id,
      linkId && `plink_${linkId}`,
      refund?.payment_id,
      dispute?.payment_id,
    );
    if (event === 'payment_link.paid' && link)
      return { names, report: { ...linkReport(link), ...(payment?.id ? { paymentId: payment.id } : {}) } };
    return {
      names,
      report: {
        outcome: 'open',
        words: payment?.error_description,
        ...(refund ? { refunds: [refundOf(refund)] } : {}),
        ...(dispute ? { disputes: [disputeOf(dispute)] } : {}),
      },
    };
  });
