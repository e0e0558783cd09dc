import { createHmac, randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import * as v from 'valibot';
import {
  type Ending,
  errorAnswer,
  type FakeDispute,
  type FakeFailure,
  type FakeOptions,
  type FakeProvider,
  listen,
  type Received,
  type Webhook,
} from './fake-provider.ts';

const KEY_ID = 'rzp_test_fakeKeyOfTests';
const KEY_SECRET = 'fakeSecretOfTests12345';
const WEBHOOK_SECRET = 'fake-webhook-secret';

/** Razorpay refuses fields that it does not know, and amounts that are no whole number of paise, from ₹1 on. */
const LinkRequest = v.strictObject({
  amount: v.pipe(v.number(), v.integer(), v.minValue(100)),
  currency: v.literal('INR'),
  accept_partial: v.boolean(),
  reference_id: v.pipe(v.string(), v.maxLength(40)),
  description: v.pipe(v.string(), v.maxLength(2048)),
  expire_by: v.pipe(v.number(), v.integer()),
  notify: v.strictObject({ sms: v.boolean(), email: v.boolean() }),
  reminder_enable: v.boolean(),
  notes: v.record(v.string(), v.pipe(v.string(), v.maxLength(256))),
  callback_url: v.pipe(v.string(), v.url()),
  callback_method: v.literal('get'),
});

const RefundRequest = v.strictObject({
  amount: v.pipe(v.number(), v.integer(), v.minValue(100)),
  speed: v.picklist(['normal', 'optimum']),
  receipt: v.pipe(v.string(), v.maxLength(40)),
});

interface Refund {
  readonly id: string;
  readonly amount: number;
  readonly receipt: string | null;
  readonly key: string;
  status: 'pending' | 'processed' | 'failed';
}

interface Link {
  readonly request: v.InferOutput<typeof LinkRequest>;
  readonly id: string;
  status: 'created' | 'paid' | 'expired';
  amount: number;
  amountPaid: number;
  currency: string;
  paymentId: string | undefined;
  readonly refunds: Refund[];
  dispute: FakeDispute | undefined;
}

const bad = (description: string) =>
  Response.json({ error: { code: 'BAD_REQUEST_ERROR', description } }, { status: 400 });

const id = (kind: string) => `${kind}_${randomUUID().replaceAll('-', '').slice(0, 14)}`;

/** Razorpay's Payment Links and refunds: https://razorpay.com/docs/api/payments/payment-links */
export async function startRazorpay({ pages }: FakeOptions = {}): Promise<FakeProvider> {
  const links = new Map<string, Link>();
  const received: Received[] = [];
  let failure: FakeFailure | undefined;
  let refunds: 'done' | 'pending' | 'refused' = 'done';
  let refusal: string | undefined;

  const entity = (link: Link) => ({
    id: link.id,
    status: link.status,
    amount: link.amount,
    amount_paid: link.amountPaid,
    currency: link.currency,
    reference_id: link.request.reference_id,
    short_url: `${pages ?? `${server.url}/l/`}${link.request.reference_id}`,
    payments: link.paymentId
      ? [{ payment_id: link.paymentId, status: 'captured', amount: link.amountPaid }]
      : null,
  });
  const refundEntity = (link: Link, { id: refundId, amount, receipt, status }: Refund) => ({
    id: refundId,
    payment_id: link.paymentId,
    amount,
    receipt,
    status,
  });
  const disputeEntity = (link: Link, { paise, state, respondBy }: FakeDispute) => ({
    id: `disp_${link.id}`,
    payment_id: link.paymentId,
    amount: paise,
    status: state,
    phase: 'chargeback',
    reason_code: 'goods_not_received',
    respond_by: respondBy / 1_000,
  });
  const webhook = (event: string, payload: object): Webhook => {
    const body = JSON.stringify({ entity: 'event', event, payload, created_at: 1_750_000_000 });
    return {
      headers: {
        'Content-Type': 'application/json',
        'X-Razorpay-Event-Id': id('evt'),
        'X-Razorpay-Signature': createHmac('sha256', WEBHOOK_SECRET).update(body).digest('hex'),
      },
      body,
    };
  };

  const app = new Hono();
  app.use('/v1/*', async (context, next) => {
    const { method, path } = context.req;
    received.push({ method, path, body: await context.req.text() });
    if (failure) return errorAnswer(failure);
    const right = `Basic ${Buffer.from(`${KEY_ID}:${KEY_SECRET}`).toString('base64')}`;
    if (context.req.header('authorization') !== right) return errorAnswer('wrong-key');
    return next();
  });
  app.post('/v1/payment_links', async (context) => {
    const parsed = v.safeParse(LinkRequest, await context.req.json());
    if (!parsed.success) return bad(`${v.getDotPath(parsed.issues[0])}: ${parsed.issues[0].message}`);
    if (refusal) return bad(refusal);
    if (links.has(parsed.output.reference_id))
      return bad(`payment link with given reference_id (${parsed.output.reference_id}) already exists`);
    const link: Link = {
      request: parsed.output,
      id: id('plink'),
      status: 'created',
      amount: parsed.output.amount,
      amountPaid: 0,
      currency: parsed.output.currency,
      paymentId: undefined,
      refunds: [],
      dispute: undefined,
    };
    links.set(parsed.output.reference_id, link);
    return context.json(entity(link));
  });
  app.get('/v1/payment_links', (context) => {
    const reference = context.req.query('reference_id');
    const found = [...links.values()].filter(
      (link) => reference === undefined || link.request.reference_id === reference,
    );
    return context.json({ payment_links: found.map(entity) });
  });
  app.get('/v1/payment_links/:id', (context) => {
    const link = [...links.values()].find((each) => each.id === context.req.param('id'));
    return link ? context.json(entity(link)) : bad('The id provided does not exist');
  });
  app.get('/v1/payments/:id/refunds', (context) => {
    const link = [...links.values()].find(({ paymentId }) => paymentId === context.req.param('id'));
    return link
      ? context.json({ items: link.refunds.map((refund) => refundEntity(link, refund)) })
      : bad('The id provided does not exist');
  });
  app.get('/v1/disputes', (context) => {
    const all = [...links.values()].flatMap((link) =>
      link.dispute ? [disputeEntity(link, link.dispute)] : [],
    );
    const [skip, count] = ['skip', 'count'].map((name) => Number(context.req.query(name)));
    return context.json({ items: all.toReversed().slice(skip, (skip ?? 0) + Math.min(count || 10, 100)) });
  });
  app.post('/v1/payments/:id/refund', async (context) => {
    const link = [...links.values()].find(({ paymentId }) => paymentId === context.req.param('id'));
    if (!link) return bad('The id provided does not exist');
    const key = context.req.header('x-refund-idempotency') ?? '';
    if (!/^[\w-]{10,}$/.test(key)) return bad('The idempotency key must have 10 characters');
    const parsed = v.safeParse(RefundRequest, await context.req.json());
    if (!parsed.success) return bad(parsed.issues[0].message);
    const { amount, receipt } = parsed.output;
    const earlier = link.refunds.find((refund) => refund.key === key);
    if (earlier)
      return earlier.amount === amount && earlier.receipt === receipt
        ? context.json(refundEntity(link, earlier))
        : bad('Different request with the same idempotency key');
    const given = link.refunds.reduce(
      (sum, refund) => sum + (refund.status === 'failed' ? 0 : refund.amount),
      0,
    );
    if (given + amount > link.amountPaid)
      return bad('The total refund amount is greater than the refund payment amount');
    if (refunds === 'refused')
      return bad('Your account does not have enough balance to carry out the refund');
    const status = refunds === 'done' ? 'processed' : 'pending';
    const refund: Refund = { id: id('rfnd'), amount, receipt, key, status };
    link.refunds.push(refund);
    return context.json(refundEntity(link, refund));
  });
  const server = await listen(app);

  return {
    name: 'razorpay',
    environment: {
      RAZORPAY_KEY_ID: KEY_ID,
      RAZORPAY_KEY_SECRET: KEY_SECRET,
      RAZORPAY_WEBHOOK_SECRET: WEBHOOK_SECRET,
      RAZORPAY_API_URL: server.url,
    },
    received,
    references: () => [...links.keys()],
    returnUrl(reference) {
      const link = links.get(reference);
      if (!link) return '';
      if (!link.paymentId) return link.request.callback_url;
      const signed = [link.id, reference, link.status, link.paymentId];
      const query = new URLSearchParams({
        razorpay_payment_id: link.paymentId,
        razorpay_payment_link_id: link.id,
        razorpay_payment_link_reference_id: reference,
        razorpay_payment_link_status: link.status,
        razorpay_signature: createHmac('sha256', KEY_SECRET).update(signed.join('|')).digest('hex'),
      });
      return `${link.request.callback_url}?${query}`;
    },
    paid: (reference) => {
      const link = links.get(reference);
      return link?.paymentId ? [link.amountPaid] : [];
    },
    refunded: (reference) =>
      (links.get(reference)?.refunds ?? [])
        .filter(({ status }) => status === 'processed')
        .reduce((sum, { amount }) => sum + amount, 0),
    end(reference, { outcome, paise, discount = 0, currency }: Ending) {
      const link = links.get(reference);
      if (!link || link.status === 'paid') return [];
      const notes = { reference };
      if (outcome === 'failed')
        return [
          webhook('payment.failed', { payment: { entity: { id: id('pay'), status: 'failed', notes } } }),
        ];
      if (outcome === 'expired') {
        link.status = 'expired';
        return [webhook('payment_link.expired', { payment_link: { entity: entity(link) } })];
      }
      const isLate = link.status === 'expired';
      link.amount = paise ?? link.request.amount;
      link.amountPaid = link.amount - discount;
      link.currency = currency ?? link.request.currency;
      link.paymentId = id('pay');
      // A real payment does not always carry the notes of its link.
      const names = isLate ? { notes: [], description: `#${link.id.slice('plink_'.length)}` } : { notes };
      const entityOfPayment = { id: link.paymentId, amount: link.amountPaid, status: 'captured', ...names };
      const payment = { entity: entityOfPayment };
      if (isLate) return [webhook('payment.captured', { payment })];
      link.status = 'paid';
      return [
        webhook('payment.captured', { payment }),
        webhook('payment_link.paid', { payment_link: { entity: entity(link) }, payment }),
      ];
    },
    setRefunds: (kind) => {
      refunds = kind;
    },
    refundThere(reference, amount) {
      const link = links.get(reference);
      if (!link) return [];
      const refund: Refund = { id: id('rfnd'), amount, receipt: null, key: '', status: 'processed' };
      link.refunds.push(refund);
      return [webhook('refund.processed', { refund: { entity: refundEntity(link, refund) } })];
    },
    dispute(reference, dispute) {
      const link = links.get(reference);
      if (!link) return [];
      link.dispute = dispute;
      const event = dispute.state === 'open' ? 'created' : dispute.state;
      return [webhook(`payment.dispute.${event}`, { dispute: { entity: disputeEntity(link, dispute) } })];
    },
    refuse: (words) => {
      refusal = words;
    },
    settleRefunds: () =>
      [...links.values()].flatMap((link) =>
        link.refunds
          .filter(({ status }) => status === 'pending')
          .map((refund) => {
            refund.status = 'processed';
            return webhook('refund.processed', { refund: { entity: refundEntity(link, refund) } });
          }),
      ),
    failWith: (kind) => {
      failure = kind;
    },
    close: server.close,
  };
}
