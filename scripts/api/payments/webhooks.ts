import type { Context } from 'hono';
import * as v from 'valibot';
import { readAmount } from '#domain/money.ts';
import { PAID_ORDER } from '#domain/order-status.ts';
import { setMeta } from '#scripts/api/db/meta.ts';
import { Refusal, unauthorized } from '#scripts/api/http/refusal.ts';
import { API_BASE, defineCall, type Route } from '#scripts/api/shop/call.ts';
import type { Env, Shop } from '#scripts/api/shop/shop.ts';
import { findPayableNumber } from './payable.ts';
import {
  CallbackSchema,
  gatewaySecret,
  isSignedBy,
  SIGNATURE_HEADER,
  TIMESTAMP_HEADER,
} from './providers/sandbox/callback.ts';
import { providersOf } from './providers/table.ts';
import { askNow, askSoon } from './reconcile.ts';
import { askForRefundsSoon } from './refunds.ts';
import { settlePayment } from './settle.ts';
import { findPayment } from './stored-payments.ts';

/** The longest time between a report's timestamp and now, in seconds. */
const REPORT_MAX_AGE = 300;

const SignatureSchema = v.object({
  [TIMESTAMP_HEADER]: v.pipe(
    v.string(),
    v.regex(/^\d{1,12}$/),
    v.description('Seconds since 1970, at most 300 old.'),
  ),
  [SIGNATURE_HEADER]: v.pipe(
    v.string(),
    v.description('HMAC-SHA256 of the timestamp, a dot and the body, in hexadecimal.'),
  ),
});

/** Checks that the gateway signed the request, and did so recently. @throws Refusal 401 or 400 if it did not */
async function requireSignature(context: Context<Env>, shop: Shop): Promise<void> {
  const signed = v.safeParse(SignatureSchema, {
    [TIMESTAMP_HEADER]: context.req.header(TIMESTAMP_HEADER),
    [SIGNATURE_HEADER]: context.req.header(SIGNATURE_HEADER),
  });
  if (!signed.success) throw unauthorized();
  const { [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: signature } = signed.output;
  if (!isSignedBy(gatewaySecret(shop), `${timestamp}.${context.get('body')}`, signature))
    throw unauthorized();
  if (Math.abs(shop.clock() / 1_000 - Number(timestamp)) > REPORT_MAX_AGE) {
    throw new Refusal(400, 'The report is too old');
  }
}

/** Receives the gateway's signed report of how a payment ended. */
export const receiveCallbackCall = defineCall({
  method: 'POST',
  path: '/payments/callback',
  access: 'public',
  operationId: 'reportPayment',
  tag: 'Payments',
  summary: 'Report how a payment ended',
  description:
    'For the sandbox gateway, which signs its report; not for the shop. Only where the sandbox takes the payments.',
  request: v.object({ headers: SignatureSchema, body: CallbackSchema }),
  status: 200,
  answer: v.object({ received: v.boolean() }),
  failures: [401, 422, 503],
  authorize: requireSignature,
  refuse: () => new Refusal(422, 'The report cannot be read'),
  async handle(context, shop, { body: { reference, outcome, amount, currency } }) {
    await settlePayment(shop, 'sandbox', reference, { outcome, amountPaise: readAmount(amount), currency });
    return context.json({ received: true });
  },
});

/** Where a provider's webhooks go; its name follows. */
export const WEBHOOK_PATH = `${API_BASE}/payments/callback`;

/** Where a provider sends the shopper back to; its name and the payment's reference follow. */
export const RETURN_PATH = `${API_BASE}/payments/return`;

/** The last webhook of a provider that was signed, in ms since 1970, for the office. */
export const seenKey = (provider: string): string => `webhook_${provider}`;

/**
 * Takes a provider's webhook: what it reports is settled at once, what it hints at is asked for soon. It calls nobody, so
 * that the provider has its answer within a second.
 */
async function receiveWebhook(context: Context<Env>, shop: Shop): Promise<Response> {
  const name = context.req.param('provider') ?? '';
  const provider = providersOf(shop).get(name);
  if (!provider) throw new Refusal(404, 'Not found');
  const reading = provider.read(context.req.raw.headers, context.get('body'), shop.clock());
  if (reading.kind === 'refused') {
    shop.metrics?.providerTrouble(name, 'webhook-refused');
    shop.log('warn', 'webhook refused', { provider: name, reason: reading.reason });
    throw new Refusal(reading.status, 'The webhook was refused');
  }
  await shop.db.write((transaction) => setMeta(transaction, seenKey(name), String(shop.clock())));
  if (reading.kind === 'hint') {
    await askSoon(shop, name, reading.references);
    await askForRefundsSoon(shop, name, reading.refunds);
  } else {
    for (const { reference, ...report } of reading.reports)
      await settlePayment(shop, name, reference, report);
  }
  return context.json({ received: true });
}

/**
 * The shopper comes back from a provider's page. What the address says proves nothing, even where it is signed: the
 * provider is asked, and the shopper goes to the page of what is true. With a wrong signature nobody is asked.
 */
async function returnFromProvider(context: Context<Env>, shop: Shop): Promise<Response> {
  const payment = await findPayment(shop.db, context.req.param('reference') ?? '');
  if (payment?.provider !== context.req.param('provider') || !payment) throw new Refusal(404, 'Not found');
  const provider = providersOf(shop).get(payment.provider);
  if (provider?.isSignedReturn?.(payment, context.req.query()) ?? true) await askNow(shop, payment);
  const now = await findPayment(shop.db, payment.reference);
  const order = await findPayableNumber(shop.db, payment.orderNumber);
  if (now?.state === 'paid' || order?.status === PAID_ORDER)
    return context.redirect(`${payment.returnOrigin}/order-success`, 303);
  const failed = now?.state === 'failed' ? '&result=failed' : '';
  return context.redirect(
    `${payment.returnOrigin}/payment?orderId=${encodeURIComponent(order?.id ?? '')}${failed}`,
    303,
  );
}

/** What providers and returning shoppers call. */
export const PROVIDER_ROUTES: readonly Route[] = [
  { method: 'POST', path: `${WEBHOOK_PATH}/:provider`, handle: receiveWebhook },
  { method: 'GET', path: `${RETURN_PATH}/:provider/:reference`, handle: returnFromProvider },
];
