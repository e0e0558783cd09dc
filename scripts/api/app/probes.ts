import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { Refusal, unauthorized, unavailable } from '#scripts/api/http/refusal.ts';
import { catalogueVersion } from '#scripts/api/shop/catalogue-version.ts';
import type { Env, Shop } from '#scripts/api/shop/shop.ts';

/** GET /healthz: the process lives. Whoever gets no answer may end it. */
export const showHealth = (context: Context<Env>): Response => context.json({ status: 'ok' });

/** GET /readyz: whether requests should be sent to this process. Not while it is stopping, or the database is away. */
export async function showReadiness(context: Context<Env>, shop: Shop): Promise<Response> {
  if (shop.isStopping?.() || (await catalogueVersion(shop.db)) === undefined) throw unavailable();
  return context.json({ status: 'ok' });
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * GET /metrics, in Prometheus' text format, for callers who send METRICS_TOKEN. `timingSafeEqual` needs values of one
 * length, so it compares digests.
 */
export async function showMetrics(context: Context<Env>, { metrics, settings }: Shop): Promise<Response> {
  if (metrics === undefined || settings.metricsToken === undefined) throw new Refusal(404, 'Not found');
  const [, given = ''] = /^Bearer (.+)$/i.exec(context.req.header('authorization') ?? '') ?? [];
  if (!timingSafeEqual(digest(given), digest(settings.metricsToken))) throw unauthorized();
  return context.body(await metrics.text(), 200, { 'Content-Type': metrics.contentType });
}
