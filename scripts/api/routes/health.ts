import type { Context } from 'hono';
import { storedVersion } from '#scripts/api/catalogue/version.ts';
import { unavailable } from '#scripts/api/http/refusal.ts';
import type { Env, Shop } from '#scripts/api/shop.ts';

/** GET /healthz: the process lives. Whoever gets no answer may end it. */
export const showHealth = (context: Context<Env>): Response => context.json({ status: 'ok' });

/** GET /readyz: whether requests should be sent to this process. Not while it is stopping, or the database is away. */
export async function showReadiness(context: Context<Env>, shop: Shop): Promise<Response> {
  if (shop.isStopping?.() || (await storedVersion(shop.db)) === undefined) throw unavailable();
  return context.json({ status: 'ok' });
}
