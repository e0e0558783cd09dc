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

/** The path of a provider's webhooks; its name follows. */
export const WEBHOOK_PATH = `${API_BASE}/payments/callback`;

/** Where a provider redirects the shopper; its name and the payment's reference follow. */
export const RETURN_PATH = `${API_BASE}/payments/return`;

/** The row of `meta` with the time of a provider's last signed webhook, in ms since 1970. */
export const lastWebhookKey = (provider: string): string => `webhook_${provider}`;

/**
 * Settles the reports of a webhook at once, and polls soon for its hints. Calls no provider, so that it answers
 * within a second.
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
 * The shopper returns from a provider's page. The query proves nothing, even if it is signed: the provider is polled,
 * and its answer decides the page. A wrong signature causes no poll.
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

export const PROVIDER_ROUTES: readonly Route[] = [
  { method: 'POST', path: `${WEBHOOK_PATH}/:provider`, handle: receiveWebhook },
  { method: 'GET', path: `${RETURN_PATH}/:provider/:reference`, handle: returnFromProvider },
];
