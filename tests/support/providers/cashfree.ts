import { createHmac, randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import * as v from 'valibot';
import { plainAmount } from '#domain/money.ts';
import { exactPaise } from '#server/payments/providers/exact-json.ts';
import {
  errorAnswer,
  type FakeDispute,
  type FakeFailure,
  type FakeOptions,
  type FakeProvider,
  listen,
  type Received,
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

interface Refund {
  readonly id: string;
  readonly paise: number;
  status: 'PENDING' | 'SUCCESS' | 'CANCELLED';
}

interface Order {
  readonly id: string;
  readonly isLink: boolean;
  readonly paymentId: string;
  paise: number;
  readonly session: string;
  readonly returnUrl: string;
  status: 'ACTIVE' | 'PAID' | 'EXPIRED';
  paidPaise: number;
  currency: string;
  readonly refunds: Refund[];
  dispute: FakeDispute | undefined;
}

const problem = (status: number, message: string, code = 'request_failed') =>
  Response.json({ message, code, type: 'invalid_request_error' }, { status });

/** Parses a body with every number as its source text. */
const exact = (text: string): unknown =>
  JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? context?.source : value,
  );

/** Cashfree's orders, payment links and refunds: https://www.cashfree.com/docs/api-reference/payments/latest/overview */
export async function startCashfree({
  pages,
  hasOrderPay = true,
}: FakeOptions & { readonly hasOrderPay?: boolean } = {}): Promise<FakeProvider> {
  const orders = new Map<string, Order>();
  const received: Received[] = [];
  let failure: FakeFailure | undefined;
  let refunds: 'done' | 'pending' | 'refused' = 'done';
  let refusal: string | undefined;

  /** The order of a paid link has an id of Cashfree's own. */
  const orderIdOf = (order: Order) => (order.isLink ? `CFPay_${order.id}` : order.id);
  const byOrderId = (orderId: string) => [...orders.values()].find((order) => orderIdOf(order) === orderId);
  const text = (paise: number) => JSON.rawJSON(plainAmount(paise).replace(/\.00$/, ''));
  const answer = (body: unknown, status = 200) =>
    new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
  const orderEntity = (order: Order) => ({
    order_id: orderIdOf(order),
    order_status: order.status,
    order_amount: text(order.paise),
    order_currency: order.currency,
    payment_session_id: order.session,
  });
  const linkEntity = (order: Order) => ({
    link_id: order.id,
    link_status: order.status,
    link_amount: text(order.paise),
    link_amount_paid: text(order.paidPaise),
    link_currency: order.currency,
    link_url: `${pages ?? `${server.url}/l/`}${order.id}`,
  });
  const refundEntity = ({ id: refundId, paise, status }: Refund) => ({
    refund_id: refundId,
    refund_amount: text(paise),
    refund_status: status,
    status_description: '',
  });
  const paymentEntity = (order: Order, isPaid: boolean) => ({
    cf_payment_id: order.paymentId,
    payment_status: isPaid ? 'SUCCESS' : 'FAILED',
    payment_amount: text(isPaid ? order.paidPaise : order.paise),
    payment_currency: order.currency,
    payment_message: isPaid ? 'Transaction success' : 'The bank said no',
  });
  const disputeEntity = (order: Order, { paise, state, respondBy }: FakeDispute) => ({
    dispute_id: Number(order.paymentId),
    dispute_type: 'CHARGEBACK',
    reason_description: 'Goods not received',
    dispute_amount: text(paise),
    dispute_status: `CHARGEBACK_${DISPUTE_STATUSES[state]}`,
    respond_by: new Date(respondBy).toISOString(),
  });
  const webhook = (type: string, data: object, now: number): Webhook => {
    const body = JSON.stringify({ type, data, event_time: new Date(now).toISOString() });
    const timestamp = String(now);
    const signature = createHmac('sha256', CLIENT_SECRET)
      .update(timestamp + body)
      .digest('base64');
    return {
      headers: {
        'Content-Type': 'application/json',
        'x-webhook-timestamp': timestamp,
        'x-webhook-signature': signature,
      },
      body,
    };
  };
  const refundWebhook = (order: Order, refund: Refund, now: number): Webhook => {
    const ids = { order_id: orderIdOf(order), cf_payment_id: Number(order.paymentId) };
    return webhook('REFUND_STATUS_WEBHOOK', { refund: { ...refundEntity(refund), ...ids } }, now);
  };
  const make = (reference: string, paise: string, returnUrl: string, isLink: boolean): Order => {
    const order: Order = {
      id: reference,
      isLink,
      paymentId: String(1_453_000_000 + orders.size),
      paise: exactPaise(paise) ?? 0,
      session: `session_${randomUUID()}`,
      returnUrl,
      status: 'ACTIVE',
      paidPaise: 0,
      currency: 'INR',
      refunds: [],
      dispute: undefined,
    };
    orders.set(reference, order);
    return order;
  };

  const app = new Hono();
  app.use('/pg/*', async (context, next) => {
    const { method, path } = context.req;
    received.push({ method, path, body: await context.req.text() });
    if (failure) return errorAnswer(failure);
    if (
      context.req.header('x-client-id') !== CLIENT_ID ||
      context.req.header('x-client-secret') !== CLIENT_SECRET
    )
      return problem(401, 'authentication Failed', 'request_failed');
    if (!context.req.header('x-api-version')) return problem(400, 'x-api-version is missing');
    return next();
  });
  app.post('/pg/orders', async (context) => {
    const parsed = v.safeParse(OrderRequest, exact(await context.req.text()));
    if (!parsed.success) return problem(400, parsed.issues[0].message);
    if (refusal) return problem(400, refusal);
    if (orders.has(parsed.output.order_id))
      return problem(409, 'order with same id is already present', 'order_already_exists');
    return answer(
      orderEntity(
        make(parsed.output.order_id, parsed.output.order_amount, parsed.output.order_meta.return_url, false),
      ),
    );
  });
  app.post('/pg/orders/sessions', async (context) => {
    const parsed = v.safeParse(SessionRequest, await context.req.json());
    if (!parsed.success) return problem(400, parsed.issues[0].message);
    if (!hasOrderPay) return problem(400, 'Order Pay is not enabled for this account');
    const order = [...orders.values()].find(({ session }) => session === parsed.output.payment_session_id);
    if (!order) return problem(404, 'payment session not found');
    const { channel } = parsed.output.payment_method.upi;
    const link = `upi://pay?pa=shop@fake&tr=${order.id}&am=${plainAmount(order.paise)}&cu=INR`;
    const payload = channel === 'qrcode' ? { qrcode: QR } : { default: link, gpay: null };
    return answer({ action: 'custom', channel, data: { payload } });
  });
  app.get('/pg/orders/:id', (context) => {
    const order = byOrderId(context.req.param('id'));
    return order && !order.isLink
      ? answer(orderEntity(order))
      : problem(404, 'order not found', 'order_not_found');
  });
  app.post('/pg/links', async (context) => {
    const parsed = v.safeParse(LinkRequest, exact(await context.req.text()));
    if (!parsed.success) return problem(400, parsed.issues[0].message);
    if (refusal) return problem(400, refusal);
    if (orders.has(parsed.output.link_id))
      return problem(409, 'Link ID already exists', 'link_already_exists');
    return answer(
      linkEntity(
        make(parsed.output.link_id, parsed.output.link_amount, parsed.output.link_meta.return_url, true),
      ),
    );
  });
  app.get('/pg/links/:id', (context) => {
    const order = orders.get(context.req.param('id'));
    return order?.isLink ? answer(linkEntity(order)) : problem(404, 'link not found');
  });
  app.get('/pg/links/:id/orders', (context) => {
    const order = orders.get(context.req.param('id'));
    return order?.isLink
      ? answer(order.paidPaise > 0 ? [{ ...orderEntity(order), order_status: 'PAID' }] : [])
      : problem(404, 'link not found');
  });
  const lists: Readonly<Record<string, (order: Order) => unknown>> = {
    payments: (order) => (order.paidPaise > 0 ? [paymentEntity(order, true)] : []),
    refunds: (order) => order.refunds.map(refundEntity),
    disputes: (order) => (order.dispute ? [disputeEntity(order, order.dispute)] : []),
  };
  for (const [name, list] of Object.entries(lists))
    app.get(`/pg/orders/:id/${name}`, (context) => {
      const order = byOrderId(context.req.param('id'));
      return order ? answer(list(order)) : problem(404, 'order not found');
    });
  app.get('/pg/orders/:id/refunds/:refund', (context) => {
    const refund = byOrderId(context.req.param('id'))?.refunds.find(
      (each) => each.id === context.req.param('refund'),
    );
    return refund ? answer(refundEntity(refund)) : problem(404, 'refund not found');
  });
  app.post('/pg/orders/:id/refunds', async (context) => {
    const order = byOrderId(context.req.param('id'));
    if (!order?.paidPaise) return problem(400, 'order is not paid');
    const parsed = v.safeParse(RefundRequest, exact(await context.req.text()));
    if (!parsed.success) return problem(400, parsed.issues[0].message);
    const { refund_id, refund_amount } = parsed.output;
    if (order.refunds.some((each) => each.id === refund_id)) return problem(409, 'refund already exists');
    const paise = exactPaise(refund_amount) ?? 0;
    const given = order.refunds.reduce(
      (sum, each) => sum + (each.status === 'CANCELLED' ? 0 : each.paise),
      0,
    );
    if (given + paise > order.paidPaise) return problem(400, 'refund amount exceeds the paid amount');
    if (refunds === 'refused') return problem(400, 'insufficient balance for the refund');
    const refund: Refund = { id: refund_id, paise, status: refunds === 'done' ? 'SUCCESS' : 'PENDING' };
    order.refunds.push(refund);
    return answer(refundEntity(refund));
  });
  const server = await listen(app);

  return {
    name: 'cashfree',
    environment: {
      CASHFREE_CLIENT_ID: CLIENT_ID,
      CASHFREE_CLIENT_SECRET: CLIENT_SECRET,
      CASHFREE_API_URL: server.url,
      CASHFREE_ORDER_PAY: hasOrderPay ? 'on' : 'off',
    },
    received,
    references: () => [...orders.keys()],
    returnUrl: (reference) => orders.get(reference)?.returnUrl ?? '',
    paid: (reference) => {
      const order = orders.get(reference);
      return order?.paidPaise ? [order.paidPaise] : [];
    },
    refunded: (reference) =>
      (orders.get(reference)?.refunds ?? [])
        .filter(({ status }) => status === 'SUCCESS')
        .reduce((sum, { paise }) => sum + paise, 0),
    end(reference, { outcome, paise, discount = 0, currency }, now) {
      const order = orders.get(reference);
      if (!order || order.status === 'PAID') return [];
      if (outcome === 'expired') {
        order.status = 'EXPIRED';
        return [];
      }
      const isPaid = outcome === 'succeeded';
      const asked = order.paise;
      if (isPaid) {
        // What comes late leaves an order expired.
        if (order.status === 'ACTIVE') order.status = 'PAID';
        order.paise = paise ?? order.paise;
        order.paidPaise = order.paise - discount;
        order.currency = currency ?? order.currency;
      }
      const data = {
        order: {
          order_id: orderIdOf(order),
          order_amount: text(asked),
          order_currency: order.currency,
          order_tags: order.isLink ? { link_id: order.id } : null,
        },
        payment: paymentEntity(order, isPaid),
        payment_offers: discount > 0 ? [{ offer_id: randomUUID() }] : null,
      };
      return [webhook(isPaid ? 'PAYMENT_SUCCESS_WEBHOOK' : 'PAYMENT_FAILED_WEBHOOK', data, now)];
    },
    setRefunds: (kind) => {
      refunds = kind;
    },
    refundThere(reference, paise, now) {
      const order = orders.get(reference);
      if (!order) return [];
      const refund: Refund = { id: `dash-${randomUUID()}`, paise, status: 'SUCCESS' };
      order.refunds.push(refund);
      return [refundWebhook(order, refund, now)];
    },
    dispute(reference, dispute, now) {
      const order = orders.get(reference);
      if (!order) return [];
      order.dispute = dispute;
      const event =
        dispute.state === 'open' ? 'CREATED' : dispute.state === 'under_review' ? 'UPDATED' : 'CLOSED';
      const order_details = { order_id: orderIdOf(order), cf_payment_id: Number(order.paymentId) };
      const data = { dispute: disputeEntity(order, dispute), order_details };
      return [webhook(`DISPUTE_${event}`, data, now)];
    },
    refuse: (words) => {
      refusal = words;
    },
    settleRefunds: (now) =>
      [...orders.values()].flatMap((order) =>
        order.refunds
          .filter(({ status }) => status === 'PENDING')
          .map((refund) => {
            refund.status = 'SUCCESS';
            return refundWebhook(order, refund, now);
          }),
      ),
    failWith: (kind) => {
      failure = kind;
    },
    close: server.close,
  };
}
