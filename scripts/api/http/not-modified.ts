import type { Context } from 'hono';

/** Sets the answer's ETag. Returns a 304 where the caller has this version already, else nothing. */
export function notModified(
  context: Context,
  etag: string,
  cacheControl = 'public, no-cache',
): Response | undefined {
  context.header('ETag', etag);
  context.header('Cache-Control', cacheControl);
  const known = (context.req.header('if-none-match') ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*') ? context.body(null, 304) : undefined;
}
