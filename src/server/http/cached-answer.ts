import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';

/** Compressed answers of one version of the catalogue. */
export type CompressedAnswers = Map<string, Promise<NonSharedBuffer>>;

/** How many compressed answers are kept. Strangers can ask for any number of filters and pages. */
const KEPT = 200;

const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const ENCODERS: Readonly<Record<string, (text: string) => Promise<NonSharedBuffer>>> = {
  br: (text) => promisify(brotliCompress)(text, brotli),
  gzip: (text) => promisify(gzip)(text),
};

/**
 * Answers with JSON that a shared cache may store, compressed if the caller accepts it. Each answer is compressed once,
 * because Hono's `compress` does it for every request and can then answer only a quarter as many. Use it only for answers
 * that are the same for everybody: compressing a secret beside what a stranger chose would let him guess it (BREACH).
 * @param key identifies the answer among those of this version of the catalogue
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
  if (!encode) return context.body(json());

  const name = `${encoding} ${key}`;
  let answer = compressed.get(name);
  if (!answer) {
    answer = encode(json());
    if (compressed.size >= KEPT) compressed.clear();
    compressed.set(name, answer);
  }
  context.header('Content-Encoding', encoding);
  // A weak ETag stands for all forms of one content.
  context.header('ETag', `W/${etag}`);
  return context.body(await answer);
}

/** Every cache asks again before each use. */
export const POLL_EACH_TIME = 'public, no-cache';

/**
 * A shared cache, such as a CDN, uses the answer for 30 s, and for 30 s more while it asks again. Use it
 * only for data that may be a minute old. The price that an order is charged at must be current.
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

/** Answers with JSON that stays the same while the process runs, so it is built for the first request alone. */
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
