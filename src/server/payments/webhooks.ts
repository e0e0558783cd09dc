import type { Context } from 'hono';
import { isPaid } from '#domain/order-status.ts';
import { Refusal } from '#server/http/refusal.ts';
import { API_BASE, type Route } from '#server/services/call.ts';
import type { Env, Services } from '#server/services/services.ts';
import { recordRefusedWebhook, storeNews } from './provider-errors.ts';
import type { WebhookNews } from './providers/provider.ts';
import { findProvider } from './providers/providers.ts';
import { pollNow, pollSoon } from './reconcile.ts';
import { settlePayment } from './settle.ts';
import { findAttempt, referenceOf } from './stored-attempts.ts';

/** The path of a provider's webhooks; its name follows. */
export const WEBHOOK_PATH = `${API_BASE}/payments/callback`;

/** Where a provider redirects the shopper; its name and the payment's reference follow. */
export const RETURN_PATH = `${API_BASE}/payments/return`;

/**
 * Settles the report of a webhook at once, and polls soon unless it is a success. Calls no provider, so that it answers
 * within a second.
 */
async function receiveWebhook(context: Context<Env>, services: Services): Promise<Response> {
  const name = context.req.param('provider') ?? '';
  const provider = findProvider(services, name);
  if (!provider?.readWebhook) throw new Refusal(404, 'Not found');
  let news: WebhookNews;
  try {
    news = provider.readWebhook(context.req.raw.headers, context.get('body'), services.clock());
  } catch (error) {
    if (error instanceof Refusal) await recordRefusedWebhook(services, name, error.message);
    throw error;
  }
  await storeNews(services, name, { webhookAt: services.clock() });
  const { names, report } = news;
  const reference = await referenceOf(services.db, name, names);
  if (reference !== undefined) {
    if (report) await settlePayment(services, name, reference, report);
    if (report?.outcome !== 'succeeded') await pollSoon(services, reference);
  } else if (names.length > 0) {
    services.metrics?.providerError(name, 'unknown-reference');
    services.log('warn', 'webhook about a payment that is not of this shop', {
      provider: name,
      names: names.join(),
    });
  }
  return context.json({ received: true });
}

/** A provider may append its own query to our address also with `&`, `;` or a second `?`, which may be encoded. */
const withoutAppended = (reference: string): string => reference.replace(/[^\w-].*$/s, '');

/**
 * The shopper returns from a provider's page, by GET or by its form. What it sends proves nothing, even if it is signed:
 * the provider is polled, and its answer decides the page. A wrong signature causes no poll.
 */
async function returnFromProvider(context: Context<Env>, services: Services): Promise<Response> {
  const attempt = await findAttempt(services.db, withoutAppended(context.req.param('reference') ?? ''));
  // The page knows the order that this tab opened last.
  if (attempt?.provider !== context.req.param('provider') || !attempt)
    return context.redirect(`${services.settings.siteOrigins[0]}/payment`, 303);
  const provider = findProvider(services, attempt.provider);
  const form = new URLSearchParams(context.req.method === 'POST' ? context.get('body') : '');
  const sent = { ...context.req.query(), ...Object.fromEntries(form) };
  const isSigned = provider?.isSignedReturn?.(attempt, sent);
  if (isSigned !== false) await pollNow(services, attempt, services.callerOf(context), isSigned === true);
  const { state, orderStatus, orderId, toPayPaise } =
    (await findAttempt(services.db, attempt.reference)) ?? attempt;
  if (state === 'done' || (toPayPaise === 0 && isPaid({ status: orderStatus })))
    return context.redirect(`${attempt.returnOrigin}/order-success`, 303);
  const failed = state === 'failed' ? '&result=failed' : '';
  const query = `orderId=${encodeURIComponent(orderId)}${failed}`;
  return context.redirect(`${attempt.returnOrigin}/payment?${query}`, 303);
}

export const PROVIDER_ROUTES: readonly Route[] = [
  { method: 'POST', path: `${WEBHOOK_PATH}/:provider`, handle: receiveWebhook },
  { method: 'GET', path: `${RETURN_PATH}/:provider/:reference`, handle: returnFromProvider },
  {
    method: 'POST',
    path: `${RETURN_PATH}/:provider/:reference`,
    bodyTypes: [
      '',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'text/plain',
      'application/json',
    ],
    handle: returnFromProvider,
  },
];
