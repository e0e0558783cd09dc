import * as v from 'valibot';
import type { ReportedRow } from '#server/ledger/reported.ts';
import { type Call, createClient, ifAny, ProviderError } from '#server/payments/providers/call-provider.ts';
import {
  MONEY_POLLED_FOR,
  type PaymentOrder,
  type PaymentProvider,
  type PaymentReport,
  type ProviderRow,
  type RefundAnswer,
  type WebhookNews,
} from '#server/payments/providers/provider.ts';
import {
  isHmac,
  namesOf,
  part,
  readSigned,
  texts,
  wholePaise,
} from '#server/payments/providers/provider-data.ts';
import { MINUTE } from '#server/process/clock.ts';
import type { Services } from '#server/services/services.ts';
import { type Environment, parseSettings } from '#server/settings/parse.ts';
import { RAZORPAY_SETTINGS } from '#server/settings/settings.ts';

const TITLE = 'Razorpay';

const METHOD = 'UPI, card or net banking';

/** In s. Razorpay requires at least 15 minutes; after this a shopper starts a new payment. */
const LINK_LASTS = 30 * 60;

/** The most that a list has at once. */
const PAGE = 100;

/** https://razorpay.com/docs/api/payments/payment-links/entity */
const LinkSchema = v.object({
  ...texts(['id', 'status', 'amount', 'amount_paid', 'currency', 'reference_id'], ['short_url']).entries,
  payments: v.nullish(v.array(texts(['payment_id', 'status'], ['amount', 'created_at']))),
});

type Link = v.InferOutput<typeof LinkSchema>;

const REFUND_ANSWERS: Readonly<Record<string, RefundAnswer>> = {
  processed: { state: 'done' },
  failed: { state: 'failed', providerMessage: 'Razorpay could not pay it back.' },
};

/** Reads a time in s. Longer numbers are no time. @returns ms since 1970 */
const momentOf = (text: string | undefined): number | undefined =>
  /^\d{1,12}$/.test(text ?? '') ? Number(text) * 1_000 : undefined;

/** https://razorpay.com/docs/api/refunds/entity. The shop's own refunds carry their key as receipt. */
const RefundSchema = v.pipe(
  texts(['id', 'status', 'amount'], ['receipt', 'payment_id', 'created_at']),
  v.transform(({ id, status, amount, receipt, payment_id, created_at }) => ({
    payment_id,
    kind: 'refund' as const,
    id: receipt || id,
    externalId: id,
    paise: wholePaise(amount),
    ...(REFUND_ANSWERS[status] ?? { state: 'requested' as const }),
    at: momentOf(created_at),
  })),
);

const DISPUTE_STATES: Readonly<Record<string, ReportedRow['state']>> = {
  under_review: 'answered',
  won: 'won',
  lost: 'lost',
  closed: 'won',
};

/** https://razorpay.com/docs/api/disputes/entity */
const DisputeSchema = v.pipe(
  texts(
    ['id', 'payment_id', 'amount', 'status'],
    ['phase', 'reason_code', 'reason_description', 'respond_by'],
  ),
  v.transform(({ payment_id, id, amount, status, phase, reason_code, reason_description, respond_by }) => ({
    payment_id,
    kind: 'dispute' as const,
    id,
    paise: wholePaise(amount),
    state: DISPUTE_STATES[status] ?? ('open' as const),
    providerMessage: [phase, reason_description || reason_code]
      .filter(Boolean)
      .join(': ')
      .replaceAll('_', ' '),
    answerBy: momentOf(respond_by) ?? null,
  })),
);

type Dispute = v.InferOutput<typeof DisputeSchema>;

const listOf = <S extends v.GenericSchema>(item: S) => v.object({ items: v.array(item) });

/** https://razorpay.com/docs/errors */
const MessageSchema = v.pipe(
  v.object({ error: v.object({ description: v.string() }) }),
  v.transform(({ error }) => error.description),
);

const OUTCOMES: Readonly<Record<string, PaymentReport['outcome']>> = {
  paid: 'succeeded',
  expired: 'ended',
  cancelled: 'ended',
};

/** The payment that paid a link. */
const paidBy = ({ payments }: Link) =>
  payments?.find(({ status }) => status === 'captured' || status === 'refunded');

function linkReport(link: Link): PaymentReport {
  const outcome = OUTCOMES[link.status] ?? 'open';
  const paid = paidBy(link);
  const money = {
    currency: link.currency,
    paymentId: paid?.payment_id,
    at: momentOf(paid?.created_at),
  };
  // A bank may confirm a payment after its link has ended.
  if (outcome === 'ended' && paid)
    return { ...money, outcome: 'succeeded', amountPaise: wholePaise(paid.amount ?? link.amount_paid) };
  const receivedPaise = wholePaise(link.amount_paid);
  const amountPaise = receivedPaise === undefined ? undefined : wholePaise(link.amount);
  return { ...money, outcome, amountPaise, receivedPaise };
}

const entity = <S extends v.GenericSchema>(schema: S) =>
  part(
    v.pipe(
      v.object({ entity: schema }),
      v.transform((wrapped) => wrapped.entity),
    ),
  );

/** https://razorpay.com/docs/api/payments/fetch-with-id */
const PaymentSchema = v.object({
  ...texts([], ['id', 'description', 'error_description', 'offer_id']).entries,
  notes: part(texts([], ['reference'])),
  acquirer_data: part(texts([], ['rrn', 'bank_transaction_id'])),
});

const bankReferenceOf = (payment: v.InferOutput<typeof PaymentSchema> | undefined): string | undefined =>
  payment?.acquirer_data?.rrn || payment?.acquirer_data?.bank_transaction_id;

/** https://razorpay.com/docs/webhooks/payloads: a payment link's, a payment's, a refund's or a dispute's. */
const EventSchema = v.pipe(
  v.object({
    event: v.string(),
    payload: v.fallback(
      v.object({
        payment_link: entity(LinkSchema),
        payment: entity(PaymentSchema),
        refund: entity(RefundSchema),
        dispute: entity(DisputeSchema),
      }),
      {},
    ),
  }),
  v.transform(({ event, payload: { payment_link: link, payment, refund, dispute } }): WebhookNews => {
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
    const bankReference = bankReferenceOf(payment);
    if (event === 'payment_link.paid' && link) {
      const report = { ...linkReport(link), ...(payment?.id && { paymentId: payment.id }), bankReference };
      // Only the poll knows whether an offer explains why less came.
      const isLess = report.receivedPaise !== undefined && report.receivedPaise !== report.amountPaise;
      return {
        names,
        report:
          isLess && !payment?.offer_id ? { outcome: 'open', bankReference } : { ...report, hasOffer: isLess },
      };
    }
    const refunds = [refund, dispute].filter((news) => news !== undefined);
    const providerMessage = payment?.error_description;
    return { names, report: { outcome: 'open', bankReference, providerMessage, refunds } };
  }),
);

/** Payments by Razorpay's Payment Links: its own page takes UPI, cards and net banking. */
function createRazorpay(environment: Environment, { clock }: Services): PaymentProvider {
  const {
    RAZORPAY_KEY_ID: keyId,
    RAZORPAY_KEY_SECRET: keySecret,
    RAZORPAY_WEBHOOK_SECRET: webhookSecret,
    RAZORPAY_API_URL: apiUrl,
  } = parseSettings(RAZORPAY_SETTINGS, environment);
  const Authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`;
  const client = createClient(TITLE, `${apiUrl}/v1`, { Authorization }, MessageSchema);
  const { begin, read } = client;

  /** GET /v1/payment_links?reference_id=: https://razorpay.com/docs/api/payments/payment-links/fetch-all-standard */
  async function linkByReference(call: Call, reference: string): Promise<Link | undefined> {
    const answer = await call('GET', `/payment_links?reference_id=${encodeURIComponent(reference)}`);
    const { payment_links } = read(v.object({ payment_links: v.array(LinkSchema) }), answer);
    return payment_links.find(({ reference_id }) => reference_id === reference);
  }

  /** GET /v1/payment_links/:id: https://razorpay.com/docs/api/payments/payment-links/fetch-id-standard */
  async function findLink(call: Call, { providerId, reference }: PaymentOrder): Promise<Link | undefined> {
    if (providerId === null) return linkByReference(call, reference);
    const answer = await call('GET', `/payment_links/${providerId}`);
    return answer.status === 200 ? read(LinkSchema, answer) : undefined;
  }

  const paymentIdOf = async (call: Call, payment: PaymentOrder): Promise<string | undefined> => {
    const link = payment.paymentId === null ? await findLink(call, payment) : undefined;
    return payment.paymentId ?? (link && paidBy(link)?.payment_id);
  };

  /** https://razorpay.com/docs/api/disputes/fetch-all: it has no filter by payment. */
  async function listDisputes(call: Call): Promise<Dispute[]> {
    const since = Math.floor((clock() - MONEY_POLLED_FOR) / 1_000);
    const all: Dispute[] = [];
    for (;;) {
      const path = `/disputes?count=${PAGE}&skip=${all.length}&from=${since}`;
      const { items } = read(listOf(DisputeSchema), await call('GET', path));
      all.push(...items);
      if (items.length < PAGE) return all;
    }
  }

  let lately: { readonly at: number; readonly disputes: Promise<Dispute[]> } | undefined;

  /** All disputes of the account, listed at most once a minute for all the payments that are polled. */
  function disputes(call: Call): Promise<Dispute[]> {
    const now = clock();
    if (!lately || Math.abs(now - lately.at) >= MINUTE)
      lately = { at: now, disputes: ifAny(listDisputes(call)) };
    return lately.disputes;
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
      const call = begin();
      const made = await call('POST', '/payment_links', {
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
      if (made.status === 200) return startedBy(read(LinkSchema, made));
      // A reference is unique: the link of an earlier call, whose answer was lost, is this payment's.
      const earlier = await linkByReference(call, payment.reference);
      if (earlier) return startedBy(earlier);
      throw client.refusal(made);
    },

    /**
     * The signature is over the raw body: https://razorpay.com/docs/webhooks/validate-test. It has no time, so a webhook
     * may be replayed; repeated reports change nothing.
     */
    readWebhook(headers, rawBody) {
      const isSigned = isHmac('hex', webhookSecret, rawBody, headers.get('x-razorpay-signature'));
      const news = readSigned(isSigned, rawBody, EventSchema);
      // The list of a moment ago does not have it.
      if (news.report?.refunds?.some(({ kind }) => kind === 'dispute')) lately = undefined;
      return news;
    },

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

    async poll(payment) {
      const call = begin();
      const link = await findLink(call, payment);
      const report = link ? linkReport(link) : ({ outcome: 'open' } as const);
      if (report.outcome !== 'succeeded' || report.paymentId === undefined) return report;
      const { amountPaise, receivedPaise = amountPaise } = report;
      const isLess = receivedPaise !== amountPaise;
      // Only the payment has the offer that explains why less came, and the bank's number.
      const answer = await call('GET', `/payments/${report.paymentId}`);
      if (answer.status !== 200 && !isLess) return report;
      const paid = read(PaymentSchema, answer);
      return { ...report, hasOffer: isLess && Boolean(paid.offer_id), bankReference: bankReferenceOf(paid) };
    },

    /** https://razorpay.com/docs/api/refunds/fetch-multiple-refund-payment */
    async pollRefunds(payment) {
      const call = begin();
      const paymentId = await paymentIdOf(call, payment);
      if (paymentId === undefined) return undefined;
      const [refunds, all] = await Promise.all([
        call('GET', `/payments/${paymentId}/refunds?count=${PAGE}`),
        disputes(call),
      ]);
      const own = all.filter(({ payment_id }) => payment_id === paymentId);
      return [...read(listOf(RefundSchema), refunds).items, ...own];
    },

    /** POST /v1/payments/:id/refund with an idempotency key: https://razorpay.com/docs/api/refunds/normal-refunds-idempotent */
    async refund(payment, paise, key) {
      const call = begin();
      const paymentId = await paymentIdOf(call, payment);
      if (paymentId === undefined)
        return { state: 'failed', providerMessage: 'Razorpay knows of no payment that could be refunded.' };
      const made = await call(
        'POST',
        `/payments/${paymentId}/refund`,
        { amount: paise, speed: 'normal', receipt: key },
        { 'X-Refund-Idempotency': key },
      );
      return client.refundAnswer(RefundSchema, made);
    },

    check: () => client.check('/payment_links?count=1', 200),
  };
}

export const RAZORPAY: ProviderRow = {
  settings: RAZORPAY_SETTINGS,
  create: createRazorpay,
};
