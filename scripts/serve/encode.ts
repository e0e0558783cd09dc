import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Context, MiddlewareHandler } from 'hono';
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from 'hono/compress';
import { parseAccept } from 'hono/utils/accept';
import { compressWith, type Dictionary } from './dictionary.ts';

type Compress = (content: Buffer) => Promise<Buffer>;

const accepts = ({ req }: Context, encoding: string): boolean =>
  parseAccept(req.header('Accept-Encoding') ?? '').some(({ type, q }) => type === encoding && q > 0);

/** Whether the browser holds this dictionary and can decode what is compressed with it. */
export const holds = (context: Context, dictionary: Dictionary | undefined): dictionary is Dictionary =>
  context.req.header('Available-Dictionary') === dictionary?.available && accepts(context, 'dcz');

/**
 * Compresses what is not compressed yet: pages for browsers that hold the dictionary, and the files of a site that was
 * only built, not published. Each form is made once and then comes from memory.
 */
export function encode(dictionary: Dictionary | undefined): MiddlewareHandler {
  const forms = new Map<string, Promise<Buffer>>();

  const formFor = (context: Context, isPage: boolean): [encoding: string, Compress] | undefined => {
    if (isPage && holds(context, dictionary)) return ['dcz', (content) => compressWith(dictionary, content)];
    if (accepts(context, 'br')) return ['br', (content) => promisify(brotliCompress)(content)];
    return accepts(context, 'gzip') ? ['gzip', (content) => promisify(gzip)(content)] : undefined;
  };

  return async (context, next) => {
    await next();
    const type = context.res.headers.get('Content-Type') ?? '';
    if (!COMPRESSIBLE_CONTENT_TYPE_REGEX.test(type)) return;
    const isPage = type.startsWith('text/html');
    context.header('Vary', isPage ? 'Accept-Encoding, Available-Dictionary' : 'Accept-Encoding');
    const { headers, status, body } = context.res;
    const [encoding, compress] = formFor(context, isPage) ?? [];
    if (!compress || !body || status === 206 || headers.has('Content-Encoding')) return;
    const content = Buffer.from(await context.res.arrayBuffer());
    const key = `${encoding} ${createHash('sha256').update(content).digest('base64')}`;
    const form = forms.get(key) ?? compress(content);
    forms.set(key, form);
    const compressed = await form;
    context.res = new Response(new Uint8Array(compressed), { status, headers });
    context.header('Content-Encoding', encoding);
    context.header('Content-Length', String(compressed.length));
  };
}
