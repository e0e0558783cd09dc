import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';

/** Compressed answers of one version of the catalogue. */
export type CompressedAnswers = Map<string, Promise<NonSharedBuffer>>;

/** Strangers can request any number of filters and pages. */
const MAX_CACHED = 200;

const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const ENCODERS: Readonly<Record<string, (text: string) => Promise<NonSharedBuffer>>> = {
  br: (text) => promisify(brotliCompress)(text, brotli),
  gzip: (text) => promisify(gzip)(text),
};

/** How many of the four threads compress: passwords need the others. In a flood of new filters nothing is compressed. */
const AT_ONCE = 2;

let compressing = 0;

/**
 * Answers with JSON that shared caches may store, compressed if the caller accepts it. Each answer is compressed
 * once: Hono's `compress` does it per request, and answers only a quarter as many. Use it only for answers that are
 * the same for everyone. Compressing a secret beside a stranger's text would reveal it (BREACH).
 * @param key identifies the answer within this version of the catalogue
 */
export async function answerCompressed(
  context: Context,
  { etag, compressed }: { readonly etag: string; readonly compressed: CompressedAnswers },
  key: string,
  json: () => string,
): Promise<Response> {
  context.header('Vary', 'Accept-Encoding', { append: true });
  const unchanged = notModified(context, etag, SHARED);
  if (unchanged) return unchanged;

  context.header('Content-Type', 'application/json');
  const encoding = accepts(context, {
    header: 'Accept-Encoding',
    supports: Object.keys(ENCODERS),
    default: 'identity',
    // Browsers name gzip first, but do not prefer it.
    match: (accepted, { supports, default: none }) =>
      supports.find((encoding) => accepted.some(({ type, q }) => type === encoding && q > 0)) ?? none,
  });
  const encode = ENCODERS[encoding];
  const name = `${encoding} ${key}`;
  let answer = compressed.get(name);
  if (!encode || (!answer && compressing >= AT_ONCE)) return context.body(json());

  if (!answer) {
    compressing += 1;
    answer = encode(json()).finally(() => {
      compressing -= 1;
    });
    if (compressed.size >= MAX_CACHED) compressed.clear();
    compressed.set(name, answer);
  }
  context.header('Content-Encoding', encoding);
  // A weak ETag is the same for all encodings of one content.
  context.header('ETag', `W/${etag}`);
  return context.body(await answer);
}

/** Every cache must revalidate the answer before each use. */
export const REVALIDATE = 'public, no-cache';

/**
 * A shared cache, such as a CDN, uses the answer for 30 s, and for 30 s more while it revalidates. Use it only for
 * data that may be a minute old. The price of an order must be current.
 */
export const SHARED = 'public, max-age=0, s-maxage=30, stale-while-revalidate=30';

/** Sets the ETag. Returns a 304 if the caller already has this version, otherwise undefined. */
export function notModified(context: Context, etag: string, cacheControl: string): Response | undefined {
  context.header('ETag', etag);
  context.header('Cache-Control', cacheControl);
  const known = (context.req.header('if-none-match') ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*') ? context.body(null, 304) : undefined;
}

/** Answers with JSON that does not change while the process runs, so it is built once. */
export function answerOnce(json: () => string): (context: Context) => Promise<Response> {
  let built: { readonly text: string; readonly etag: string } | undefined;
  const compressed: CompressedAnswers = new Map();
  return async (context) => {
    if (!built) {
      const text = json();
      built = { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` };
    }
    const { text, etag } = built;
    return answerCompressed(context, { etag, compressed }, 'only', () => text);
  };
}
