import * as v from 'valibot';
import {
  callProvider,
  deadline,
  type ProviderAnswer,
  ProviderError,
  readAnswer,
  readIfAny,
} from '#server/payments/providers/call-provider.ts';
import type { PaymentOrder, PaymentProvider, ProviderRow } from '#server/payments/providers/provider.ts';
import { isHmac } from '#server/payments/providers/webhook.ts';
import { type Environment, parseSettings } from '#server/settings/parse.ts';
import { RAZORPAY_SETTINGS } from '#server/settings/settings.ts';
import {
  DisputeSchema,
  disputeOf,
  type Link,
  LinkSchema,
  linkReport,
  paidBy,
  RefundSchema,
  refundAnswer,
  refundOf,
} from './entities.ts';
import { readRazorpayWebhook } from './webhook.ts';

const TITLE = 'Razorpay';

const METHOD = 'UPI, card or net banking';

/** In s. Razorpay requires at least 15 minutes; after this a shopper starts a new payment. */
const LINK_LASTS = 30 * 60;

const listOf = <S extends v.GenericSchema>(item: S) => v.object({ items: v.array(item) });

/** https://razorpay.com/docs/errors */
const ErrorSchema = v.object({ error: v.object({ description: v.string() }) });

const errorWords = (body: unknown): string => {
  const parsed = v.safeParse(ErrorSchema, body);
  return parsed.success ? parsed.output.error.description.slice(0, 200) : '';
};

/** Payments by Razorpay's Payment Links: its own page takes UPI, cards and net banking. */
function createRazorpay(environment: Environment): PaymentProvider {
  const {
    RAZORPAY_KEY_ID: keyId,
    RAZORPAY_KEY_SECRET: keySecret,
    RAZORPAY_WEBHOOK_SECRET: webhookSecret,
    RAZORPAY_API_URL: apiUrl,
  } = parseSettings(RAZORPAY_SETTINGS, environment);
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`;

  const call = (
    signal: AbortSignal,
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ProviderAnswer> =>
    callProvider({
      provider: TITLE,
      url: `${apiUrl}/v1${path}`,
      method,
      headers: { Authorization: authorization, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
    });

  /** GET /v1/payment_links?reference_id=: https://razorpay.com/docs/api/payments/payment-links/fetch-all-standard */
  async function linkByReference(signal: AbortSignal, reference: string): Promise<Link | undefined> {
    const { body } = await call(
      signal,
      'GET',
      `/payment_links?reference_id=${encodeURIComponent(reference)}`,
    );
    const list = readAnswer(TITLE, v.object({ payment_links: v.array(LinkSchema) }), body);
    return list.payment_links.find(({ reference_id }) => reference_id === reference);
  }

  /** GET /v1/payment_links/:id: https://razorpay.com/docs/api/payments/payment-links/fetch-id-standard */
  async function findLink(signal: AbortSignal, payment: PaymentOrder): Promise<Link | undefined> {
    if (payment.providerId === undefined) return linkByReference(signal, payment.reference);
    const { status, body } = await call(signal, 'GET', `/payment_links/${payment.providerId}`);
    return status === 200 ? readAnswer(TITLE, LinkSchema, body) : undefined;
  }

  const startedBy = ({ id, short_url }: Link) => {
    if (short_url === undefined) throw new ProviderError(TITLE, 'unreadable');
    return { redirectUrl: short_url, providerId: id };
  };

  return {
    title: TITLE,
    sharedData: 'the number of your order and its amount',
    isTest: keyId.startsWith('rzp_test_'),
    keys: [
      { label: 'Key id', end: keyId.slice(-4) },
      { label: 'Key secret', end: keySecret.slice(-4) },
      { label: 'Webhook secret', end: webhookSecret.slice(-4) },
    ],
    todo: 'under Webhooks, send payment_link.paid, payment_link.expired, payment_link.cancelled, payment.captured, payment.failed, refund.processed, refund.failed and all of payment.dispute to this address, with the webhook secret.',
    methods: ({ currency }) => (currency === 'INR' ? [METHOD] : []),

    /** POST /v1/payment_links: https://razorpay.com/docs/api/payments/payment-links/create-standard */
    async start(payment, { orderNumber, returnUrl }) {
      const signal = deadline();
      const { status, body } = await call(signal, 'POST', '/payment_links', {
        amount: payment.amountPaise,
        currency: payment.currency,
        accept_partial: false,
        reference_id: payment.reference,
        description: `Order ${orderNumber}`,
        expire_by: Math.floor(payment.createdAt / 1_000) + LINK_LASTS,
        notify: { sms: false, email: false },
        reminder_enable: false,
        notes: { reference: payment.reference },
        callback_url: returnUrl,
        callback_method: 'get',
      });
      if (status === 200) return startedBy(readAnswer(TITLE, LinkSchema, body));
      // A reference is unique: the link of an earlier call, whose answer was lost, is this payment's.
      const earlier = await linkByReference(signal, payment.reference);
      if (earlier) return startedBy(earlier);
      throw new ProviderError(TITLE, 'refused', errorWords(body));
    },

    readWebhook: (headers, rawBody) => readRazorpayWebhook(webhookSecret, headers, rawBody),

    /** https://razorpay.com/docs/payments/payment-links/callback: over the link's id, our reference, its status and the payment. */
    isSignedReturn: ({ reference }, query) =>
      isHmac(
        'hex',
        keySecret,
        ['id', 'reference_id', 'status']
          .map((name) => query[`razorpay_payment_link_${name}`])
          .concat(query.razorpay_payment_id)
          .join('|'),
        query.razorpay_signature,
      ) && query.razorpay_payment_link_reference_id === reference,

    /** https://razorpay.com/docs/api/disputes/fetch-all: it has no filter by payment. */
    async poll(payment) {
      const signal = deadline();
      const link = await findLink(signal, payment);
      if (!link) return { outcome: 'open' };
      const paid = paidBy(link);
      if (!paid) return linkReport(link);
      const { payment_id: paymentId } = paid;
      const since = Math.floor(payment.createdAt / 1_000);
      const [refunds, disputes] = await Promise.all([
        readIfAny(call(signal, 'GET', `/payments/${paymentId}/refunds?count=100`), listOf(RefundSchema)),
        readIfAny(call(signal, 'GET', `/disputes?count=100&from=${since}`), listOf(DisputeSchema)),
      ]);
      const own = disputes?.items.filter(({ payment_id }) => payment_id === paymentId);
      return {
        ...linkReport(link),
        paymentId,
        refunds: refunds?.items.map(refundOf),
        disputes: own?.map(disputeOf),
      };
    },

    /**
     * POST /v1/payments/:id/refund with an idempotency key: https://razorpay.com/docs/api/refunds/normal-refunds-idempotent.
     * GET /v1/payments/:id/refunds returns the state of an earlier one: https://razorpay.com/docs/api/refunds/fetch-multiple-refund-payment
     */
    async refund(payment, paise, key) {
      const signal = deadline();
      const link = await findLink(signal, payment);
      const paid = link && paidBy(link);
      if (!paid)
        return { state: 'refund_failed', text: 'Razorpay knows of no payment that could be refunded.' };
      const path = `/payments/${paid.payment_id}`;
      const { body: list } = await call(signal, 'GET', `${path}/refunds`);
      const { items } = readAnswer(TITLE, listOf(RefundSchema), list);
      const earlier = items.find(({ receipt }) => receipt === key);
      if (earlier) return refundAnswer(earlier);
      const { status, body } = await call(
        signal,
        'POST',
        `${path}/refund`,
        { amount: paise, speed: 'normal', receipt: key },
        { 'X-Refund-Idempotency': key },
      );
      if (status === 409) return { state: 'refunding' };
      if (status !== 200) return { state: 'refund_failed', text: errorWords(body) || 'Razorpay refused it.' };
      return refundAnswer(readAnswer(TITLE, RefundSchema, body));
    },

    async check() {
      const { status, body } = await call(deadline(), 'GET', '/payment_links?count=1');
      return status === 200 ? undefined : errorWords(body) || `It answered ${status}.`;
    },
  };
}

export const RAZORPAY: ProviderRow = {
  settings: RAZORPAY_SETTINGS,
  create: createRazorpay,
};
