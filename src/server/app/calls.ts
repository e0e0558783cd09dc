import type { Context } from 'hono';
import { timingSafeEqual } from 'hono/utils/buffer';
import {
  getProductCall,
  getStoreInfoCall,
  getStoreTermsCall,
  listProductsCall,
} from '#server/catalogue/calls.ts';
import { contactCall } from '#server/contact/contact.ts';
import { ACCOUNT_CALLS } from '#server/customers/calls.ts';
import { ACCOUNT_CHANGE_CALLS } from '#server/customers/change-calls.ts';
import { catalogueVersion } from '#server/db/catalogue-version.ts';
import { cachedAlerts } from '#server/doctor/alerts.ts';
import { ORDER_CALLS } from '#server/fulfilment/calls.ts';
import { RETURN_CALLS } from '#server/fulfilment/returns/calls.ts';
import { answerOnce } from '#server/http/cached-answer.ts';
import { Refusal, unauthorized, unavailable } from '#server/http/refusal.ts';
import { listPaymentFieldsCall, submitPaymentCall } from '#server/payments/calls.ts';
import { showImage } from '#server/pictures/show-image.ts';
import { PERSONAL_DATA_CALLS } from '#server/privacy/calls.ts';
import { API_BASE, type ApiCall, type Route } from '#server/services/call.ts';
import type { Env, Services } from '#server/services/services.ts';
import { openApiDocument } from './openapi.ts';

/** 503 while the process is stopping or the database is down. */
async function showReadiness(context: Context<Env>, services: Services): Promise<Response> {
  if (services.isStopping?.() || (await catalogueVersion(services.db)) === undefined) throw unavailable();
  return context.json({ status: 'ok' });
}

/**
 * For a monitor outside: 503 while the shop, or a part of it such as its emails, does not work. It names
 * the alerts, and no more, because anybody may call it.
 */
async function showShopHealth(context: Context<Env>, services: Services): Promise<Response> {
  const found = (await cachedAlerts(services, services.clock())).filter(
    ({ severity }) => severity === 'blocks',
  );
  const [status, code] = found.length === 0 ? (['ok', 200] as const) : (['failing', 503] as const);
  return context.json({ status, alerts: found.map(({ name }) => name) }, code);
}

/** For callers with METRICS_TOKEN. */
async function showMetrics(context: Context<Env>, services: Services): Promise<Response> {
  const { metrics, settings } = services;
  if (metrics === undefined || settings.metricsToken === undefined) throw new Refusal(404, 'Not found');
  const [, given = ''] = /^Bearer (.+)$/i.exec(context.req.header('authorization') ?? '') ?? [];
  if (!(await timingSafeEqual(given, settings.metricsToken))) throw unauthorized();
  metrics.setAlerts(await cachedAlerts(services, services.clock()));
  return context.body(await metrics.text(), 200, { 'Content-Type': metrics.contentType });
}

/**
 * Every call of section 7 of the specification and its extensions, below API_BASE. The server, /openapi.json and the fuzz
 * test read this list. If a new call needs an id, a query or a body to succeed, add them in tests/fuzz/good-requests.ts.
 */
export const API_CALLS: readonly ApiCall[] = [
  listProductsCall,
  getProductCall,
  getStoreInfoCall,
  getStoreTermsCall,
  ...ACCOUNT_CALLS,
  ...ACCOUNT_CHANGE_CALLS,
  ...PERSONAL_DATA_CALLS,
  ...ORDER_CALLS,
  ...RETURN_CALLS,
  listPaymentFieldsCall,
  submitPaymentCall,
  contactCall,
];

const showDescription = answerOnce(() => JSON.stringify(openApiDocument(API_BASE, API_CALLS)));

/** Routes outside the API: health, metrics, the OpenAPI document and pictures. */
export const OTHER_ROUTES: readonly Route[] = [
  // A process that does not respond may be killed.
  { method: 'GET', path: '/healthz', handle: (context) => context.json({ status: 'ok' }) },
  { method: 'GET', path: '/shop-health', handle: showShopHealth },
  { method: 'GET', path: '/readyz', handle: showReadiness },
  { method: 'GET', path: '/metrics', handle: showMetrics },
  { method: 'GET', path: '/openapi.json', handle: showDescription },
  { method: 'GET', path: '/images/:name', handle: showImage },
];
