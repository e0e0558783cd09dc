import { createHmac, randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { plainAmount } from '#domain/money.ts';
import { exactPaise, parseExact } from '#server/payments/providers/provider-data.ts';
import {
  type FakeDispute,
  type FakeOptions,
  type FakePayment,
  type FakeProvider,
  type FakeRefund,
  startFake,
  UTR,
  type Webhook,
} from './fake-provider.ts';

const CLIENT_ID = 'TESTfakeClientOfTests';
const CLIENT_SECRET = 'fake-client-secret-of-tests';

/** An image of one dot: Cashfree answers with a PNG in base64. */
const QR =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** Cashfree requires two decimals of every amount. */
const amount = v.pipe(v.string(), v.regex(/^\d+\.\d{2}$/, 'amount must have two decimals'));
const id = v.pipe(v.string(), v.regex(/^[\w-]{3,50}$/));
const phone = v.pipe(
  v.string(),
  v.regex(/^[6-9]\d{9}$/, 'customer_details.customer_phone : invalid value provided'),
);
const addresses = v.strictObject({
  return_url: v.pipe(v.string(), v.url()),
  notify_url: v.optional(v.string()),
});

const OrderRequest = v.strictObject({
  order_id: id,
  order_amount: amount,
  order_currency: v.literal('INR'),
  customer_details: v.strictObject({
    customer_id: v.pipe(v.string(), v.minLength(3), v.maxLength(50)),
    customer_phone: phone,
  }),
  order_meta: addresses,
});
const LinkRequest = v.strictObject({
  link_id: id,
  link_amount: amount,
  link_currency: v.literal('INR'),
  link_purpose: v.string(),
  customer_details: v.strictObject({ customer_phone: phone }),
  link_notify: v.strictObject({ send_sms: v.boolean(), send_email: v.boolean() }),
  link_partial_payments: v.boolean(),
  link_meta: addresses,
});
const SessionRequest = v.strictObject({
  payment_session_id: v.string(),
  payment_method: v.strictObject({ upi: v.strictObject({ channel: v.picklist(['qrcode', 'link']) }) }),
});
const RefundRequest = v.strictObject({
  refund_id: id,
  refund_amount: amount,
  refund_speed: v.literal('STANDARD'),
});

const DISPUTE_STATUSES = {
  open: 'CREATED',
  under_review: 'UNDER_REVIEW',
  won: 'MERCHANT_WON',
  lost: 'MERCHANT_LOST',
} as const;

const problem = (status: number, message: string, code = 'request_failed') =>
  Response.json({ message, code, type: 'invalid_request_error' }, { status });

const answer = (body: unknown) =>
  new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } });

/** Amounts are numbers, without the zeros at their end. */
const amountOf = (paise: number) => JSON.rawJSON(plainAmount(paise).replace(/\.00$/, ''));

const isLink = ({ id, reference }: FakePayment) => id !== reference;

const orderEntity = ({ id, status, asked, currency, paymentId }: FakePayment) => ({
  order_id: id,
  order_status: status === 'open' ? 'ACTIVE' : status.toUpperCase(),
  order_amount: amountOf(asked),
  order_currency: currency,
  payment_session_id: `session_${paymentId}`,
});

const refundEntity = ({ id, paise, isPending }: FakeRefund) => ({
  refund_id: id,
  refund_amount: amountOf(paise),
  refund_status: isPending ? 'PENDING' : 'SUCCESS',
  status_description: '',
});

const paymentEntity = ({ paymentId, asked, paid, currency }: FakePayment, isPaid: boolean) => ({
  cf_payment_id: paymentId,
  payment_status: isPaid ? 'SUCCESS' : 'FAILED',
  payment_amount: amountOf(isPaid ? paid : asked),
  payment_currency: currency,
  ...(isPaid ? { bank_reference: UTR } : {}),
  payment_message: isPaid ? 'Transaction success' : 'The bank said no',
});

const disputeEntity = ({ paymentId }: FakePayment, { paise, state, respondBy }: FakeDispute) => ({
  dispute_id: Number(paymentId),
  dispute_type: 'CHARGEBACK',
  reason_description: 'Goods not received',
  dispute_amount: amountOf(paise),
  dispute_status: `CHARGEBACK_${DISPUTE_STATUSES[state]}`,
  respond_by: new Date(respondBy).toISOString(),
});

const idsOf = ({ id, paymentId }: FakePayment) => ({ order_id: id, cf_payment_id: Number(paymentId) });

/** What belongs to an order. */
const LISTS: Readonly<Record<string, (order: FakePayment) => unknown>> = {
  payments: (order) => (order.paid > 0 ? [paymentEntity(order, true)] : []),
  refunds: (order) => order.refunds.map(refundEntity),
  disputes: (order) => (order.dispute ? [disputeEntity(order, order.dispute)] : []),
};

function webhook(type: string, data: object, now: number): Webhook {
  const body = JSON.stringify({ type, data, event_time: new Date(now).toISOString() });
  const timestamp = String(now);
  return {
    headers: {
      'Content-Type': 'application/json',
      'x-webhook-timestamp': timestamp,
      'x-webhook-signature': createHmac('sha256', CLIENT_SECRET)
        .update(timestamp + body)
        .digest('base64'),
    },
    body,
  };
}

/** Cashfree's orders, payment links and refunds: https://www.cashfree.com/docs/api-reference/payments/latest/overview */
export function startCashfree({
  pages,
  hasOrderPay = true,
}: FakeOptions & { readonly hasOrderPay?: boolean } = {}): Promise<FakeProvider> {
  return startFake({
    name: 'cashfree',
    environment: (url) => ({
      CASHFREE_CLIENT_ID: CLIENT_ID,
      CASHFREE_CLIENT_SECRET: CLIENT_SECRET,
      CASHFREE_API_URL: url,
      CASHFREE_ORDER_PAY: hasOrderPay ? 'on' : 'off',
    }),
    hasKeys: (request) =>
      request.header('x-client-id') === CLIENT_ID &&
      request.header('x-client-secret') === CLIENT_SECRET &&
      request.header('x-api-version') !== undefined,
    addRoutes(app, shop) {
      const linkEntity = (link: FakePayment) => ({
        link_id: link.reference,
        link_status: orderEntity(link).order_status,
        link_amount: amountOf(link.asked),
        link_amount_paid: amountOf(link.paid),
        link_currency: link.currency,
        link_url: `${pages ?? `${shop.url}/l/`}${link.reference}`,
      });
      const all = () => [...shop.payments.values()];
      const byOrderId = (orderId: string) => all().find(({ id }) => id === orderId);
      const make = (reference: string, amount: string, id = reference, returnUrl = '') => {
        const paymentId = String(1_453_000_000 + shop.payments.size);
        return shop.make({ reference, id, paymentId, returnUrl, asked: exactPaise(amount) ?? 0 });
      };
      const linkOf = (reference: string) =>
        all().find((each) => each.reference === reference && isLink(each));
      /** Answers about what a GET names, or a 404. */
      const get = (path: string, find: typeof linkOf, entity: (found: FakePayment) => unknown) =>
        app.get(path, (context) => {
          const found = find(context.req.param('id') ?? '');
          return found ? answer(entity(found)) : problem(404, 'not found', 'order_not_found');
        });
      const post = <S extends v.GenericSchema>(
        path: string,
        schema: S,
        handle: (sent: v.InferOutput<S>, id: string) => Response,
      ) =>
        app.post(path, async (context) => {
          const parsed = v.safeParse(schema, parseExact(await context.req.text()));
          if (!parsed.success) return problem(400, parsed.issues[0].message);
          return handle(parsed.output, context.req.param('id') ?? '');
        });
      post('/pg/orders', OrderRequest, ({ order_id, order_amount, order_meta }) => {
        if (shop.refusal) return problem(400, shop.refusal);
        if (shop.payments.has(order_id))
          return problem(409, 'order with same id is already present', 'order_already_exists');
        return answer(orderEntity(make(order_id, order_amount, order_id, order_meta.return_url)));
      });
      post('/pg/orders/sessions', SessionRequest, ({ payment_session_id: session, payment_method }) => {
        if (!hasOrderPay) return problem(400, 'Order Pay is not enabled for this account');
        const order = all().find(({ paymentId }) => `session_${paymentId}` === session);
        if (!order) return problem(404, 'payment session not found');
        const { channel } = payment_method.upi;
        const link = `upi://pay?pa=shop@fake&tr=${order.id}&am=${plainAmount(order.asked)}&cu=INR`;
        const payload = channel === 'qrcode' ? { qrcode: QR } : { default: link, gpay: null };
        return answer({ action: 'custom', channel, data: { payload } });
      });
      post('/pg/links', LinkRequest, ({ link_id, link_amount, link_meta }) => {
        if (shop.refusal) return problem(400, shop.refusal);
        if (shop.payments.has(link_id)) return problem(409, 'Link ID already exists', 'link_already_exists');
        // The order of a paid link has an id of Cashfree's own.
        return answer(linkEntity(make(link_id, link_amount, `CFPay_${link_id}`, link_meta.return_url)));
      });
      get('/pg/orders/:id', (id) => all().find((order) => order.id === id && !isLink(order)), orderEntity);
      get('/pg/links/:id', linkOf, linkEntity);
      get('/pg/links/:id/orders', linkOf, (link) =>
        link.paid > 0 ? [{ ...orderEntity(link), order_status: 'PAID' }] : [],
      );
      for (const [name, list] of Object.entries(LISTS)) get(`/pg/orders/:id/${name}`, byOrderId, list);
      app.get('/pg/orders/:id/refunds/:refund', (context) => {
        const refunds = byOrderId(context.req.param('id'))?.refunds ?? [];
        const refund = refunds.find(({ id: refundId }) => refundId === context.req.param('refund'));
        return refund ? answer(refundEntity(refund)) : problem(404, 'refund not found');
      });
      post('/pg/orders/:id/refunds', RefundRequest, ({ refund_id, refund_amount }, id) => {
        const order = byOrderId(id);
        if (!order?.paid) return problem(400, 'order is not paid');
        if (order.refunds.some((each) => each.id === refund_id)) return problem(409, 'refund already exists');
        const refund = shop.refund(order, refund_id, exactPaise(refund_amount) ?? 0);
        if (refund === 'too much') return problem(400, 'refund amount exceeds the paid amount');
        if (refund === 'balance') return problem(400, 'insufficient balance for the refund');
        return answer(refundEntity(refund));
      });
    },
    endings(order, { outcome, asked }, now) {
      if (outcome === 'expired') return [];
      const isPaid = outcome === 'succeeded';
      const data = {
        order: {
          order_id: order.id,
          order_amount: amountOf(asked),
          order_currency: order.currency,
          order_tags: isLink(order) ? { link_id: order.reference } : null,
        },
        payment: paymentEntity(order, isPaid),
        payment_offers: order.hasOffer ? [{ offer_id: randomUUID() }] : null,
      };
      return [webhook(isPaid ? 'PAYMENT_SUCCESS_WEBHOOK' : 'PAYMENT_FAILED_WEBHOOK', data, now)];
    },
    refundWebhook: (order, refund, now) =>
      webhook('REFUND_STATUS_WEBHOOK', { refund: { ...refundEntity(refund), ...idsOf(order) } }, now),
    disputeWebhook(order, dispute, now) {
      const event = { open: 'CREATED', under_review: 'UPDATED', won: 'CLOSED', lost: 'CLOSED' }[
        dispute.state
      ];
      const data = { dispute: disputeEntity(order, dispute), order_details: idsOf(order) };
      return webhook(`DISPUTE_${event}`, data, now);
    },
  });
}
