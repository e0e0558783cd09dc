import { createHmac, randomUUID } from 'node:crypto';
import * as v from 'valibot';
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

const BANK = { rrn: UTR };

const bad = (description: string) =>
  Response.json({ error: { code: 'BAD_REQUEST_ERROR', description } }, { status: 400 });

const notThere = () => bad('The id provided does not exist');

const makeId = (kind: string) => `${kind}_${randomUUID().replaceAll('-', '').slice(0, 14)}`;

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');

const STATUSES = { open: 'created', paid: 'paid', expired: 'expired' } as const;

const refundEntity = ({ paymentId }: FakePayment, { id, paise, isOwn, isPending }: FakeRefund) => ({
  id: `rfnd_${id}`,
  payment_id: paymentId,
  amount: paise,
  receipt: isOwn ? id : null,
  status: isPending ? 'pending' : 'processed',
});

const disputeEntity = ({ id, paymentId }: FakePayment, { paise, state, respondBy }: FakeDispute) => ({
  id: `disp_${id}`,
  payment_id: paymentId,
  amount: paise,
  status: state,
  phase: 'chargeback',
  reason_code: 'goods_not_received',
  respond_by: respondBy / 1_000,
});

function webhook(event: string, entities: Readonly<Record<string, object>>): Webhook {
  const payload = Object.fromEntries(
    Object.entries(entities).map(([name, entity]) => [name, { entity }] as const),
  );
  const body = JSON.stringify({ entity: 'event', event, payload, created_at: 1_750_000_000 });
  return {
    headers: {
      'Content-Type': 'application/json',
      'X-Razorpay-Event-Id': makeId('evt'),
      'X-Razorpay-Signature': hmac(WEBHOOK_SECRET, body),
    },
    body,
  };
}

/** Razorpay's Payment Links and refunds: https://razorpay.com/docs/api/payments/payment-links */
export function startRazorpay({ pages }: FakeOptions = {}): Promise<FakeProvider> {
  let pageUrl = '';
  const entity = ({ reference, id, status, asked, paid, currency, paymentId }: FakePayment) => ({
    id,
    status: STATUSES[status],
    amount: asked,
    amount_paid: paid,
    currency,
    reference_id: reference,
    short_url: `${pageUrl}${reference}`,
    payments: paid > 0 ? [{ payment_id: paymentId, status: 'captured', amount: paid }] : null,
  });

  return startFake({
    name: 'razorpay',
    environment: (url) => ({
      RAZORPAY_KEY_ID: KEY_ID,
      RAZORPAY_KEY_SECRET: KEY_SECRET,
      RAZORPAY_WEBHOOK_SECRET: WEBHOOK_SECRET,
      RAZORPAY_API_URL: url,
    }),
    hasKeys: (request) =>
      request.header('authorization') ===
      `Basic ${Buffer.from(`${KEY_ID}:${KEY_SECRET}`).toString('base64')}`,
    addRoutes(app, shop) {
      pageUrl = pages ?? `${shop.url}/l/`;
      const all = () => [...shop.payments.values()];
      app.post('/v1/payment_links', async (context) => {
        const parsed = v.safeParse(LinkRequest, await context.req.json());
        if (!parsed.success) return bad(`${v.getDotPath(parsed.issues[0])}: ${parsed.issues[0].message}`);
        if (shop.refusal) return bad(shop.refusal);
        const { reference_id: reference, amount: asked, callback_url: returnUrl } = parsed.output;
        if (shop.payments.has(reference))
          return bad(`payment link with given reference_id (${reference}) already exists`);
        const [id, paymentId] = [makeId('plink'), makeId('pay')];
        return context.json(entity(shop.make({ reference, id, paymentId, returnUrl, asked })));
      });
      app.get('/v1/payment_links', (context) => {
        const wanted = context.req.query('reference_id');
        const found = all().filter(({ reference }) => wanted === undefined || reference === wanted);
        return context.json({ payment_links: found.map(entity) });
      });
      const byPaymentId = (given: string) =>
        all().find(({ paymentId, paid }) => paid > 0 && paymentId === given);
      const get = (path: string, find: typeof byPaymentId, entityOf: (link: FakePayment) => object) =>
        app.get(path, (context) => {
          const link = find(context.req.param('id') ?? '');
          return link ? context.json(entityOf(link)) : notThere();
        });
      get('/v1/payment_links/:id', (given) => all().find(({ id }) => id === given), entity);
      get('/v1/payments/:id', byPaymentId, ({ paymentId: id, paid: amount, hasOffer }) => ({
        id,
        amount,
        offer_id: hasOffer ? 'offer_1' : null,
        acquirer_data: BANK,
      }));
      get('/v1/payments/:id/refunds', byPaymentId, (link) => ({
        items: link.refunds.map((refund) => refundEntity(link, refund)),
      }));
      app.get('/v1/disputes', (context) => {
        const disputes = all().flatMap((link) => (link.dispute ? [disputeEntity(link, link.dispute)] : []));
        const [skip = 0, count] = ['skip', 'count'].map((name) => Number(context.req.query(name)));
        return context.json({
          items: disputes.toReversed().slice(skip, skip + Math.min(count || 10, 100)),
        });
      });
      app.post('/v1/payments/:id/refund', async (context) => {
        const link = byPaymentId(context.req.param('id'));
        if (!link) return notThere();
        const key = context.req.header('x-refund-idempotency') ?? '';
        if (!/^[\w-]{10,}$/.test(key)) return bad('The idempotency key must have 10 characters');
        const parsed = v.safeParse(RefundRequest, await context.req.json());
        if (!parsed.success) return bad(parsed.issues[0].message);
        const { amount, receipt } = parsed.output;
        const earlier = link.refunds.find(({ id }) => id === key);
        if (earlier)
          return earlier.paise === amount && receipt === key
            ? context.json(refundEntity(link, earlier))
            : bad('Different request with the same idempotency key');
        const refund = shop.refund(link, receipt, amount);
        if (refund === 'too much')
          return bad('The total refund amount is greater than the refund payment amount');
        if (refund === 'balance')
          return bad('Your account does not have enough balance to carry out the refund');
        return context.json(refundEntity(link, refund));
      });
    },
    returnUrl(link) {
      const { id, reference, paid, paymentId, returnUrl } = link;
      if (paid === 0) return returnUrl;
      const status = STATUSES[link.status];
      const query = new URLSearchParams({
        razorpay_payment_id: paymentId,
        razorpay_payment_link_id: id,
        razorpay_payment_link_reference_id: reference,
        razorpay_payment_link_status: status,
        razorpay_signature: hmac(KEY_SECRET, [id, reference, status, paymentId].join('|')),
      });
      return `${returnUrl}?${query}`;
    },
    endings(link, { outcome, isLate }) {
      const { reference, id, paymentId, paid } = link;
      const notes = { reference };
      if (outcome === 'failed')
        return [webhook('payment.failed', { payment: { id: makeId('pay'), status: 'failed', notes } })];
      if (outcome === 'expired') return [webhook('payment_link.expired', { payment_link: entity(link) })];
      // A real payment does not always carry the notes of its link.
      const names = isLate ? { notes: [], description: `#${id.slice('plink_'.length)}` } : { notes };
      const offer = link.hasOffer ? { offer_id: 'offer_1' } : {};
      const payment = {
        id: paymentId,
        amount: paid,
        status: 'captured',
        acquirer_data: BANK,
        ...offer,
        ...names,
      };
      return [
        webhook('payment.captured', { payment }),
        ...(isLate ? [] : [webhook('payment_link.paid', { payment_link: entity(link), payment })]),
      ];
    },
    refundWebhook: (link, refund) => webhook('refund.processed', { refund: refundEntity(link, refund) }),
    disputeWebhook: (link, dispute) =>
      webhook(`payment.dispute.${dispute.state === 'open' ? 'created' : dispute.state}`, {
        dispute: disputeEntity(link, dispute),
      }),
  });
}
