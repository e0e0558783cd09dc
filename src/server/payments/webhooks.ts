import type { Context } from 'hono';
import { PAID_ORDER } from '#domain/order-status.ts';
import { setMeta } from '#server/db/meta.ts';
import { Refusal } from '#server/http/refusal.ts';
import { API_BASE, type Route } from '#server/services/call.ts';
import type { Env, Services } from '#server/services/services.ts';
import { findPayableByNumber } from './payable.ts';
import { providersOf } from './providers/table.ts';
import { pollNow, pollSoon } from './reconcile.ts';
import { pollRefundsSoon } from './refunds.ts';
import { settlePayment } from './settle.ts';
import { findPayment } from './stored-payments.ts';

/** Where a provider's webhooks go; its name follows. */
export const WEBHOOK_PATH = `${API_BASE}/payments/callback`;

/** Where a provider sends the shopper back to; its name and the payment's reference follow. */
export const RETURN_PATH = `${API_BASE}/payments/return`;

/** The last webhook of a provider that was signed, in ms since 1970, for the admin. */
export const lastWebhookKey = (provider: string): string => `webhook_${provider}`;

/**
 * Takes a provider's webhook: what it reports is settled at once, what it hints at is asked for soon. It calls nobody, so
 * that the provider has its answer within a second.
 */
async function receiveWebhook(context: Context<Env>, services: Services): Promise<Response> {
  const name = context.req.param('provider') ?? '';
  const provider = providersOf(services).get(name);
  if (!provider) throw new Refusal(404, 'Not found');
  const reading = provider.readWebhook(context.req.raw.headers, context.get('body'), services.clock());
  if (reading.kind === 'refused') {
    services.metrics?.providerError(name, 'webhook-refused');
    services.log('warn', 'webhook refused', { provider: name, reason: reading.reason });
    throw new Refusal(reading.status, 'The webhook was refused');
  }
  await services.db.write((transaction) =>
    setMeta(transaction, lastWebhookKey(name), String(services.clock())),
  );
  if (reading.kind === 'hint') {
    await pollSoon(services, name, reading.references);
    await pollRefundsSoon(services, name, reading.refunds);
  } else {
    for (const { reference, ...report } of reading.reports)
      await settlePayment(services, name, reference, report);
  }
  return context.json({ received: true });
}

/**
 * The shopper comes back from a provider's page. What the address says proves nothing, even where it is signed: the
 * provider is asked, and the shopper goes to the page of what is true. With a wrong signature nobody is asked.
 */
async function returnFromProvider(context: Context<Env>, services: Services): Promise<Response> {
  const payment = await findPayment(services.db, context.req.param('reference') ?? '');
  if (payment?.provider !== context.req.param('provider') || !payment) throw new Refusal(404, 'Not found');
  const provider = providersOf(services).get(payment.provider);
  if (provider?.isSignedReturn?.(payment, context.req.query()) ?? true) await pollNow(services, payment);
  const now = await findPayment(services.db, payment.reference);
  const order = await findPayableByNumber(services.db, payment.orderNumber);
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
