import * as v from 'valibot';
import { plainAmount } from '#domain/money.ts';
import {
  callProvider,
  deadline,
  type ProviderAnswer,
  ProviderError,
  readAnswer,
  readIfAny,
} from '#server/payments/providers/call-provider.ts';
import { exactPaise } from '#server/payments/providers/exact-json.ts';
import type {
  PaymentOrder,
  PaymentProvider,
  ProviderRow,
  StartDetails,
  Started,
} from '#server/payments/providers/provider.ts';
import { type Environment, parseSettings } from '#server/settings/parse.ts';
import { CASHFREE_SETTINGS } from '#server/settings/settings.ts';
import {
  DisputeSchema,
  disputeOf,
  isOfShop,
  LinkSchema,
  linkReport,
  OrderSchema,
  orderReport,
  PaymentSchema,
  RefundSchema,
  refundAnswer,
  refundOf,
} from './entities.ts';
import { readCashfreeWebhook } from './webhook.ts';

const TITLE = 'Cashfree';

const API_VERSION = '2025-01-01';

const METHODS = { qr: 'UPI QR', app: 'UPI app', hosted: 'UPI, card or net banking' } as const;

/** https://www.cashfree.com/docs/api-reference/payments/latest/payments/pay */
const SessionSchema = v.object({
  data: v.object({ payload: v.record(v.string(), v.nullable(v.string())) }),
});

const ErrorSchema = v.object({ message: v.string() });

const errorWords = (body: unknown): string => {
  const parsed = v.safeParse(ErrorSchema, body);
  return parsed.success ? parsed.output.message.slice(0, 200) : '';
};

/** Writes the amount as an exact decimal by `rawJSON`, never as a float. */
const exactBody = (fields: object, amountName: string, paise: number): string =>
  JSON.stringify({ ...fields, [amountName]: JSON.rawJSON(plainAmount(paise)) });

const isHosted = ({ method }: PaymentOrder): boolean => method === METHODS.hosted;

/** Payments by Cashfree's orders (UPI inside the shop) and payment links (its hosted page). */
function createCashfree(environment: Environment): PaymentProvider {
  const {
    CASHFREE_CLIENT_ID: clientId,
    CASHFREE_CLIENT_SECRET: clientSecret,
    CASHFREE_API_URL: apiUrl,
    CASHFREE_ORDER_PAY: hasOrderPay,
  } = parseSettings(CASHFREE_SETTINGS, environment);
  const call = (
    signal: AbortSignal,
    method: 'GET' | 'POST',
    path: string,
    body?: string,
  ): Promise<ProviderAnswer> =>
    callProvider({
      provider: TITLE,
      url: `${apiUrl}/pg${path}`,
      method,
      headers: { 'x-client-id': clientId, 'x-client-secret': clientSecret, 'x-api-version': API_VERSION },
      ...(body === undefined ? {} : { body }),
      signal,
    });

  /** Creates the resource of our reference, or fetches it if an earlier call's answer was lost. */
  async function makeOnce<S extends v.GenericSchema>(
    signal: AbortSignal,
    path: string,
    reference: string,
    schema: S,
    body: string,
  ): Promise<v.InferOutput<S>> {
    const made = await call(signal, 'POST', path, body);
    if (made.status === 200) return readAnswer(TITLE, schema, made.body);
    const found = made.status === 409 ? await call(signal, 'GET', `${path}/${reference}`) : undefined;
    if (found?.status === 200) return readAnswer(TITLE, schema, found.body);
    throw new ProviderError(TITLE, 'refused', errorWords(made.body));
  }

  const addresses = ({ returnUrl, webhookUrl }: StartDetails) => ({
    return_url: returnUrl,
    ...(webhookUrl.startsWith('https:') ? { notify_url: webhookUrl } : {}),
  });

  /** POST /pg/links: https://www.cashfree.com/docs/api-reference/payments/latest/payment-links/create */
  async function startHosted(payment: PaymentOrder, details: StartDetails): Promise<Started> {
    const { reference, currency, amountPaise } = payment;
    const fields = {
      link_id: reference,
      link_currency: currency,
      link_purpose: `Order ${details.orderNumber}`,
      customer_details: { customer_phone: details.phone },
      link_notify: { send_sms: false, send_email: false },
      link_partial_payments: false,
      link_meta: addresses(details),
    };
    const body = exactBody(fields, 'link_amount', amountPaise);
    const link = await makeOnce(deadline(), '/links', reference, LinkSchema, body);
    return { redirectUrl: link.link_url, providerId: link.link_id };
  }

  /** POST /pg/orders, then POST /pg/orders/sessions with the UPI channel. */
  async function startUpi(payment: PaymentOrder, details: StartDetails): Promise<Started> {
    const { reference, currency, amountPaise, method } = payment;
    const signal = deadline();
    const fields = {
      order_id: reference,
      order_currency: currency,
      customer_details: { customer_id: details.customer, customer_phone: details.phone },
      order_meta: addresses(details),
    };
    const body = exactBody(fields, 'order_amount', amountPaise);
    const order = await makeOnce(signal, '/orders', reference, OrderSchema, body);
    const channel = method === METHODS.qr ? 'qrcode' : 'link';
    const session = await call(
      signal,
      'POST',
      '/orders/sessions',
      JSON.stringify({ payment_session_id: order.payment_session_id, payment_method: { upi: { channel } } }),
    );
    if (session.status !== 200) throw new ProviderError(TITLE, 'refused', errorWords(session.body));
    const { payload } = readAnswer(TITLE, SessionSchema, session.body).data;
    const providerId = order.order_id;
    if (channel === 'qrcode' && payload.qrcode)
      return { action: { type: 'qr', qrBase64: payload.qrcode }, providerId };
    if (channel === 'link' && payload.default)
      return { action: { type: 'deeplink', redirectUrl: payload.default }, providerId };
    throw new ProviderError(TITLE, 'unreadable');
  }

  /** The order that holds the money: our own, or the one that a paid link created. */
  async function paidOrderId(signal: AbortSignal, payment: PaymentOrder): Promise<string | undefined> {
    if (!isHosted(payment)) return payment.reference;
    const { status, body } = await call(signal, 'GET', `/links/${payment.reference}/orders?status=PAID`);
    if (status !== 200) return undefined;
    return readAnswer(TITLE, v.array(OrderSchema), body).find(({ order_status }) => order_status === 'PAID')
      ?.order_id;
  }

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
    readWebhook: (headers, rawBody, now) => readCashfreeWebhook(clientSecret, headers, rawBody, now),

    /** GET /pg/orders/:id and GET /pg/links/:id: https://www.cashfree.com/docs/api-reference/payments/latest/orders/get-order */
    async poll(payment) {
      const signal = deadline();
      const path = isHosted(payment) ? `/links/${payment.reference}` : `/orders/${payment.reference}`;
      const { status, body } = await call(signal, 'GET', path);
      if (status !== 200) return { outcome: 'open' };
      const report = isHosted(payment)
        ? linkReport(readAnswer(TITLE, LinkSchema, body))
        : orderReport(readAnswer(TITLE, OrderSchema, body));
      const orderId = report.outcome === 'open' ? undefined : await paidOrderId(signal, payment);
      if (orderId === undefined) return report;
      const read = <S extends v.GenericSchema>(what: string, schema: S) =>
        readIfAny(call(signal, 'GET', `/orders/${encodeURIComponent(orderId)}/${what}`), v.array(schema));
      const payments = await read('payments', PaymentSchema);
      const paid = payments?.find(({ payment_status }) => payment_status === 'SUCCESS');
      // A bank may confirm a payment after its order has ended.
      if (report.outcome === 'ended' && !paid) return report;
      const [refunds, disputes] = await Promise.all([
        read('refunds', RefundSchema),
        read('disputes', DisputeSchema),
      ]);
      return {
        ...report,
        outcome: 'succeeded',
        receivedPaise: paid ? exactPaise(paid.payment_amount) : report.receivedPaise,
        paymentId: paid?.cf_payment_id,
        refunds: refunds?.filter(isOfShop).map(refundOf),
        disputes: disputes?.map(disputeOf),
      };
    },

    /**
     * GET /pg/orders/:id/refunds/:refund returns an earlier one, POST makes it:
     * https://www.cashfree.com/docs/api-reference/payments/latest/refunds/create
     */
    async refund(payment, paise, key) {
      const signal = deadline();
      const orderId = await paidOrderId(signal, payment);
      if (orderId === undefined)
        return { state: 'refund_failed', text: 'Cashfree knows of no payment that could be refunded.' };
      const path = `/orders/${encodeURIComponent(orderId)}/refunds`;
      const earlier = await call(signal, 'GET', `${path}/${key}`);
      if (earlier.status === 200) return refundAnswer(readAnswer(TITLE, RefundSchema, earlier.body));
      const fields = { refund_id: key, refund_speed: 'STANDARD' };
      const made = await call(signal, 'POST', path, exactBody(fields, 'refund_amount', paise));
      if (made.status === 200) return refundAnswer(readAnswer(TITLE, RefundSchema, made.body));
      if (made.status === 409) return { state: 'refunding' };
      return { state: 'refund_failed', text: errorWords(made.body) || 'Cashfree refused it.' };
    },

    /** Fetches an order that does not exist: with valid keys the answer is 404. */
    async check() {
      const { status, body } = await call(deadline(), 'GET', '/orders/no-such-order');
      return status === 404 ? undefined : errorWords(body) || `It answered ${status}.`;
    },
  };
}

export const CASHFREE: ProviderRow = {
  settings: CASHFREE_SETTINGS,
  create: createCashfree,
};
