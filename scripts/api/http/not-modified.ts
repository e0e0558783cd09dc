import type { Context } from 'hono';

/** Every cache asks again before each use. */
export const ASK_EACH_TIME = 'public, no-cache';

/**
 * A shared cache, such as a CDN, uses the answer for 30 s, and for 30 s more while it asks again. Use it
 * only for data that may be a minute old. The price that an order is charged at must be current (faults 67).
 */
export const SHARED = 'public, max-age=0, s-maxage=30, stale-while-revalidate=30';

/** Sets the answer's ETag. Returns a 304 where the caller has this version already, otherwise undefined. */
export function notModified(context: Context, etag: string, cacheControl: string): Response | undefined {
  context.header('ETag', etag);
  context.header('Cache-Control', cacheControl);
  const known = (context.req.header('if-none-match') ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*') ? context.body(null, 304) : undefined;
}
