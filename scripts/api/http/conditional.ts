import type { Context } from 'hono';

/** Marks the answer for later questions, and is the answer itself, a 304, where the caller already has it. */
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
