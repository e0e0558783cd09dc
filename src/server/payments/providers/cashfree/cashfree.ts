import * as v from 'valibot';
import { type Paise, plainAmount } from '#domain/money.ts';
import type { ReportedRow } from '#server/ledger/reported.ts';
import { type Call, createClient, ifAny, ProviderError } from '#server/payments/providers/call-provider.ts';
import type {
  PaymentOrder,
  PaymentProvider,
  PaymentReport,
  ProviderRow,
  RefundAnswer,
  StartDetails,
} from '#server/payments/providers/provider.ts';
import {
  exactPaise,
  isHmac,
  namesOf,
  part,
  readSigned,
  texts,
} from '#server/payments/providers/provider-data.ts';
import type { Started } from '#server/payments/schema.ts';
import { type Environment, parseSettings } from '#server/settings/parse.ts';
import { CASHFREE_SETTINGS } from '#server/settings/settings.ts';

const TITLE = 'Cashfree';

const API_VERSION = '2025-01-01';

const METHODS = { qr: 'UPI QR', app: 'UPI app', hosted: 'UPI, card or net banking' } as const;

/** Of orders and of links. */
const OUTCOMES: Readonly<Record<string, PaymentReport['outcome']>> = {
  PAID: 'succeeded',
  EXPIRED: 'ended',
  TERMINATED: 'ended',
  CANCELLED: 'ended',
};

const reportOf = (status: string, amount: string, currency: string): PaymentReport => ({
  outcome: OUTCOMES[status] ?? 'open',
  amountPaise: exactPaise(amount),
  currency,
});

/** https://www.cashfree.com/docs/api-reference/payments/latest/orders/create-order */
const OrderSchema = v.pipe(
  texts(['order_id', 'order_status', 'order_amount', 'order_currency'], ['payment_session_id']),
  v.transform((order) => ({
    id: order.order_id,
    session: order.payment_session_id,
    report: reportOf(order.order_status, order.order_amount, order.order_currency),
  })),
);

/** https://www.cashfree.com/docs/api-reference/payments/latest/payment-links/create */
const LinkSchema = v.pipe(
  texts(['link_status', 'link_amount', 'link_amount_paid', 'link_currency', 'link_url'], []),
  v.transform((link) => ({
    url: link.link_url,
    report: {
      ...reportOf(link.link_status, link.link_amount, link.link_currency),
      receivedPaise: exactPaise(link.link_amount_paid),
    },
  })),
);

/** https://www.cashfree.com/docs/api-reference/payments/latest/payments/get-payments-for-an-order */
const PaymentSchema = texts(
  ['payment_status', 'payment_amount', 'payment_currency'],
  ['cf_payment_id', 'bank_reference', 'payment_message', 'payment_completion_time', 'payment_time'],
);

const paidAt = ({ payment_completion_time, payment_time }: v.InferOutput<typeof PaymentSchema>) =>
  Date.parse(payment_completion_time ?? payment_time ?? '') || undefined;

function refundAnswer(status: string, description: string | undefined): RefundAnswer {
  if (status === 'SUCCESS') return { state: 'done' };
  if (status === 'PENDING' || status === 'ONHOLD') return { state: 'requested' };
  return { state: 'failed', providerMessage: description || 'Cashfree could not pay it back.' };
}

/** https://www.cashfree.com/docs/api-reference/payments/latest/refunds/get */
const RefundSchema = v.pipe(
  texts(
    ['refund_amount', 'refund_status'],
    [
      'refund_id',
      'cf_refund_id',
      'refund_type',
      'status_description',
      'order_id',
      'cf_payment_id',
      'processed_at',
    ],
  ),
  v.transform((refund) => ({
    order_id: refund.order_id,
    cf_payment_id: refund.cf_payment_id,
    /** Cashfree itself refunds payments that came in vain. They never counted. */
    isOfShop: (refund.refund_type ?? 'MERCHANT_INITIATED') === 'MERCHANT_INITIATED',
    kind: 'refund' as const,
    id: refund.refund_id || refund.cf_refund_id || '',
    externalId: refund.cf_refund_id,
    paise: exactPaise(refund.refund_amount),
    ...refundAnswer(refund.refund_status, refund.status_description),
    at: Date.parse(refund.processed_at ?? '') || undefined,
  })),
);

/** The ends of CHARGEBACK_MERCHANT_WON and the like. */
const DISPUTE_STATES: readonly (readonly [end: RegExp, state: ReportedRow['state']])[] = [
  [/_WON$/, 'won'],
  [/_(?:LOST|ACCEPTED)$/, 'lost'],
  [/_(?:DOCS_RECEIVED|UNDER_REVIEW)$/, 'answered'],
  [/(?:CLOSED|CANCELLED)$/, 'won'],
];

/** https://www.cashfree.com/docs/api-reference/payments/latest/disputes/get-disputes-by-order-id */
const DisputeSchema = v.pipe(
  texts(
    ['dispute_id', 'dispute_amount', 'dispute_status'],
    ['dispute_type', 'reason_description', 'respond_by'],
  ),
  v.transform(
    (dispute): ReportedRow => ({
      kind: 'dispute',
      id: dispute.dispute_id,
      paise: exactPaise(dispute.dispute_amount),
      state: DISPUTE_STATES.find(([end]) => end.test(dispute.dispute_status))?.[1] ?? 'open',
      providerMessage: [dispute.dispute_type?.toLowerCase().replaceAll('_', ' '), dispute.reason_description]
        .filter(Boolean)
        .join(': '),
      answerBy: Date.parse(dispute.respond_by ?? '') || null,
    }),
  ),
);

/** The maximum age of a trusted webhook, in ms. An older one may be a replay, and only causes a poll. */
const MAX_AGE = 5 * 60_000;

/** The first names are documented. Live accounts also get the others, or one header of each. */
const HEADER_PREFIXES = ['x-webhook', 'x-cashfree', 'x-cf'];

/** Returns ms since 1970. Some webhooks have seconds. */
const sentAt = (timestamp: string | undefined): number =>
  Number(timestamp) * (Number(timestamp) < 1e11 ? 1_000 : 1);

/**
 * https://www.cashfree.com/docs/api-reference/payments/latest/payments/webhooks, and those beside it of payment links,
 * refunds and disputes.
 */
const EventSchema = v.object({
  type: v.string(),
  data: v.fallback(
    v.object({
      order: part(
        v.object({
          ...texts(['order_id'], ['order_amount']).entries,
          order_tags: part(texts([], ['link_id'])),
        }),
      ),
      payment: part(PaymentSchema),
      payment_offers: part(v.nullable(v.array(v.unknown()))),
      link_id: part(v.string()),
      refund: part(RefundSchema),
      auto_refund: part(texts([], ['order_id'])),
      dispute: part(DisputeSchema),
      order_details: part(texts([], ['order_id', 'cf_payment_id'])),
    }),
    {},
  ),
});

type EventData = v.InferOutput<typeof EventSchema>['data'];

const eventNames = ({ order, payment, link_id, refund, auto_refund, order_details }: EventData): string[] =>
  namesOf(
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

/**
 * A success is trusted if all of the order's amount came, or an offer of Cashfree explains the rest. Otherwise the poll
 * decides.
 */
function eventReport({ order, payment, payment_offers, refund, dispute }: EventData): PaymentReport {
  if (payment?.payment_status !== 'SUCCESS') {
    const refunds = [refund?.isOfShop ? refund : undefined, dispute].filter((news) => news !== undefined);
    return { outcome: 'open', providerMessage: payment?.payment_message, refunds };
  }
  const { cf_payment_id: paymentId, bank_reference: bankReference, payment_currency: currency } = payment;
  const receivedPaise = exactPaise(payment.payment_amount);
  const amountPaise = exactPaise(order?.order_amount ?? payment.payment_amount);
  if (amountPaise !== receivedPaise && !payment_offers?.length)
    return { outcome: 'open', paymentId, bankReference };
  return {
    outcome: 'succeeded',
    amountPaise,
    receivedPaise,
    hasOffer: amountPaise !== receivedPaise,
    currency,
    paymentId,
    bankReference,
    providerId: order?.order_id,
    at: paidAt(payment),
  };
}

/** https://www.cashfree.com/docs/api-reference/payments/latest/payments/pay */
const SessionSchema = v.object({
  data: v.object({ payload: v.record(v.string(), v.nullable(v.string())) }),
});

const MessageSchema = v.pipe(
  v.object({ message: v.string() }),
  v.transform(({ message }) => message),
);

/** The amount as an exact decimal in JSON, never as a float. */
const exactAmount = (paise: Paise): object => JSON.rawJSON(plainAmount(paise));

const isHosted = ({ method }: PaymentOrder): boolean => method === METHODS.hosted;

/** Payments by Cashfree's orders (UPI inside the shop) and payment links (its hosted page). */
function createCashfree(environment: Environment): PaymentProvider {
  const {
    CASHFREE_CLIENT_ID: clientId,
    CASHFREE_CLIENT_SECRET: clientSecret,
    CASHFREE_API_URL: apiUrl,
    CASHFREE_ORDER_PAY: hasOrderPay,
  } = parseSettings(CASHFREE_SETTINGS, environment);
  const keys = { 'x-client-id': clientId, 'x-client-secret': clientSecret, 'x-api-version': API_VERSION };
  const client = createClient(TITLE, `${apiUrl}/pg`, keys, MessageSchema);
  const { begin, read } = client;

  /** Creates the resource of our reference, or fetches it if an earlier call's answer was lost. */
  async function makeOnce<S extends v.GenericSchema>(
    call: Call,
    path: string,
    reference: string,
    schema: S,
    body: object,
  ): Promise<v.InferOutput<S>> {
    const made = await call('POST', path, body);
    const answer = made.status === 409 ? await call('GET', `${path}/${reference}`) : made;
    if (answer.status !== 200) throw client.refusal(made);
    return read(schema, answer);
  }

  const addresses = ({ returnUrl, webhookUrl }: StartDetails) => ({
    return_url: returnUrl,
    ...(webhookUrl.startsWith('https:') ? { notify_url: webhookUrl } : {}),
  });

  /** POST /pg/links: https://www.cashfree.com/docs/api-reference/payments/latest/payment-links/create */
  async function startHosted(payment: PaymentOrder, details: StartDetails): Promise<Started> {
    const { reference, currency, amountPaise } = payment;
    const link = await makeOnce(begin(), '/links', reference, LinkSchema, {
      link_id: reference,
      link_amount: exactAmount(amountPaise),
      link_currency: currency,
      link_purpose: `Order ${details.orderNumber}`,
      customer_details: { customer_phone: details.phone },
      link_notify: { send_sms: false, send_email: false },
      link_partial_payments: false,
      link_meta: addresses(details),
    });
    return { redirectUrl: link.url };
  }

  /** POST /pg/orders, then POST /pg/orders/sessions with the UPI channel. */
  async function startUpi(payment: PaymentOrder, details: StartDetails): Promise<Started> {
    const { reference, currency, amountPaise, method } = payment;
    const call = begin();
    const order = await makeOnce(call, '/orders', reference, OrderSchema, {
      order_id: reference,
      order_amount: exactAmount(amountPaise),
      order_currency: currency,
      customer_details: { customer_id: details.customer, customer_phone: details.phone },
      order_meta: addresses(details),
    });
    const channel = method === METHODS.qr ? 'qrcode' : 'link';
    const session = await call('POST', '/orders/sessions', {
      payment_session_id: order.session,
      payment_method: { upi: { channel } },
    });
    if (session.status !== 200) throw client.refusal(session);
    const { payload } = read(SessionSchema, session).data;
    const providerId = order.id;
    if (channel === 'qrcode' && payload.qrcode)
      return { action: { type: 'qr', qrBase64: payload.qrcode }, providerId };
    if (channel === 'link' && payload.default)
      return { action: { type: 'deeplink', redirectUrl: payload.default }, providerId };
    throw new ProviderError(TITLE, 'unreadable');
  }

  /** The order that holds the money: our own, or the one that a paid link created. */
  async function paidOrderId(call: Call, payment: PaymentOrder): Promise<string | undefined> {
    if (!isHosted(payment)) return payment.reference;
    if (payment.providerId !== null) return payment.providerId;
    const answer = await call('GET', `/links/${payment.reference}/orders?status=PAID`);
    if (answer.status !== 200) return undefined;
    return read(v.array(OrderSchema), answer).find(({ report }) => report.outcome === 'succeeded')?.id;
  }

  /** What belongs to an order: its payments, refunds or disputes. */
  const listOf = async <S extends v.GenericSchema>(call: Call, orderId: string, what: string, schema: S) =>
    read(v.array(schema), await call('GET', `/orders/${encodeURIComponent(orderId)}/${what}`));

  return {
    title: TITLE,
    needsPhone: true,
    sharedData: 'the number of your order, its amount and your phone number',
    isTest: clientId.startsWith('TEST'),
    keys: [
      { label: 'Client id', end: clientId.slice(-4) },
      { label: 'Client secret', end: clientSecret.slice(-4) },
    ],
    todo: 'under Developers, Webhooks, send the events of payments, payment links, refunds and disputes to this address.',
    methods: ({ currency }) =>
      currency !== 'INR' ? [] : hasOrderPay ? [METHODS.qr, METHODS.app, METHODS.hosted] : [METHODS.hosted],
    start: (payment, details) => (isHosted(payment) ? startHosted : startUpi)(payment, details),

    /**
     * The signature is over timestamp and raw body:
     * https://www.cashfree.com/docs/payments/online/webhooks/signature-verification
     */
    readWebhook(headers, rawBody, now) {
      const sent = (part: string) =>
        HEADER_PREFIXES.flatMap((prefix) => headers.get(`${prefix}-${part}`) ?? []);
      const timestamp = sent('timestamp').find((time) =>
        sent('signature').some((signature) => isHmac('base64', clientSecret, time + rawBody, signature)),
      );
      const { data } = readSigned(timestamp !== undefined, rawBody, EventSchema);
      const isFresh = Math.abs(now - sentAt(timestamp)) <= MAX_AGE;
      return { names: eventNames(data), report: isFresh ? eventReport(data) : undefined };
    },

    /** GET /pg/orders/:id and GET /pg/links/:id: https://www.cashfree.com/docs/api-reference/payments/latest/orders/get-order */
    async poll(payment) {
      const call = begin();
      const path = isHosted(payment) ? `/links/${payment.reference}` : `/orders/${payment.reference}`;
      const answer = await call('GET', path);
      if (answer.status !== 200) return { outcome: 'open' };
      const { report } = read(isHosted(payment) ? LinkSchema : OrderSchema, answer);
      const providerId = report.outcome === 'open' ? undefined : await paidOrderId(call, payment);
      if (providerId === undefined) return report;
      const payments = await listOf(call, providerId, 'payments', PaymentSchema);
      const paid = payments.find(({ payment_status }) => payment_status === 'SUCCESS');
      // A bank may confirm a payment after its order has ended.
      if (report.outcome === 'ended' && !paid) return report;
      const receivedPaise = paid ? exactPaise(paid.payment_amount) : report.receivedPaise;
      return {
        ...report,
        outcome: 'succeeded',
        receivedPaise,
        paymentId: paid?.cf_payment_id,
        bankReference: paid?.bank_reference,
        providerId,
        at: paid && paidAt(paid),
      };
    },

    async pollRefunds(payment) {
      const call = begin();
      const orderId = await paidOrderId(call, payment);
      if (orderId === undefined) return undefined;
      const [refunds, disputes] = await Promise.all([
        listOf(call, orderId, 'refunds', RefundSchema),
        ifAny(listOf(call, orderId, 'disputes', DisputeSchema)),
      ]);
      return [...refunds.filter(({ isOfShop }) => isOfShop), ...disputes];
    },

    /** https://www.cashfree.com/docs/api-reference/payments/latest/refunds/create */
    async refund(payment, paise, key) {
      const call = begin();
      const orderId = await paidOrderId(call, payment);
      if (orderId === undefined)
        return { state: 'failed', providerMessage: 'Cashfree knows of no payment that could be refunded.' };
      const refund = { refund_id: key, refund_speed: 'STANDARD', refund_amount: exactAmount(paise) };
      const made = await call('POST', `/orders/${encodeURIComponent(orderId)}/refunds`, refund);
      return client.refundAnswer(RefundSchema, made);
    },

    // With valid keys, an order that does not exist is a 404.
    check: () => client.check('/orders/no-such-order', 404),
  };
}

export const CASHFREE: ProviderRow = {
  settings: CASHFREE_SETTINGS,
  create: createCashfree,
};
