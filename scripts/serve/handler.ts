import { readFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { type Context, Hono } from 'hono';
import { parseAccept } from 'hono/utils/accept';
import * as v from 'valibot';
import { BuildInfoReader } from '#api/schema/build-info.ts';
import { withoutEndSlashes } from '#domain/url.ts';
import { contentType, isCompressible, isHtml } from './content-types.ts';
import { type Dictionary, dictionaryOf } from './dictionary.ts';
import { type Found, findFile } from './find-file.ts';
import { headersFor, parseHeaders } from './headers-file.ts';
import { parseRedirects, redirectOf } from './redirects-file.ts';
import { type Accepting, createRepresentations } from './representation.ts';

export type SiteOptions = {
  /** The built site. */
  directory: string;
  /** Whether redirects from `_redirects` work; plain hosts ignore that file. */
  redirects?: boolean;
};

/** The folder in which every file name contains a hash of the content. */
const HASHED = '/_astro/';
const FOREVER = 'public, max-age=31536000, immutable';
const REVALIDATE = 'no-cache';

const readText = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

/** Reads the dictionary that `build-info.json` names. */
async function readDictionary(root: string): Promise<Dictionary | undefined> {
  const info = v.safeParse(
    BuildInfoReader,
    JSON.parse((await readText(join(root, 'build-info.json'))) || '{}'),
  );
  const found = info.success && info.output.dictionary && (await findFile(root, info.output.dictionary));
  return found ? dictionaryOf(await readFile(found.file)) : undefined;
}

const isKnown = (ifNoneMatch = '', etag: string): boolean =>
  ifNoneMatch.split(',').some((entry) => entry.trim() === etag || entry.trim() === '*');

const acceptedBy = ({ req }: Context): Accepting => ({
  encodings: new Set(
    parseAccept(req.header('Accept-Encoding') ?? '').flatMap(({ type, q }) => (q > 0 ? [type] : [])),
  ),
  available: req.header('Available-Dictionary'),
});

const refuse = (context: Context, status: 404 | 405 | 500, text: string, headers = {}): Response =>
  context.body(`${text}\n`, status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': REVALIDATE,
    ...headers,
  });

/** Answers GET and HEAD from a built site as any plain static host does (resolutions 2). */
export async function createSite({ directory, redirects = true }: SiteOptions): Promise<Hono> {
  const root = resolve(directory);
  const headerRules = parseHeaders(await readText(join(root, '_headers')));
  const redirectRules = redirects ? parseRedirects(await readText(join(root, '_redirects'))) : [];
  const represent = createRepresentations(await readDictionary(root));

  /** The file's canonical address: '/%63art', '//cart' and '/cart.html' need the headers of the same page, too. */
  const addressOf = ({ file }: Found): string =>
    `/${relative(root, file).replaceAll(sep, '/')}`.replace(/(?:(?<=\/)index)?\.html$/, '');

  async function send(context: Context, found: Found, status: 200 | 404): Promise<Response> {
    const { file } = found;
    const address = addressOf(found);
    const { body, encoding, etag } = await represent(found, acceptedBy(context));
    const vary = isHtml(file) ? 'Accept-Encoding, Available-Dictionary' : 'Accept-Encoding';
    const headers = {
      'x-content-type-options': 'nosniff',
      'cache-control': address.startsWith(HASHED) && !isHtml(file) ? FOREVER : REVALIDATE,
      ...Object.fromEntries(headersFor(headerRules, address)),
      etag,
      ...(isCompressible(file) ? { vary } : {}),
    };
    if (status === 200 && isKnown(context.req.header('If-None-Match'), etag)) {
      return context.body(null, 304, headers);
    }
    return context.body(new Uint8Array(body), status, {
      ...headers,
      'content-type': contentType(file),
      'content-length': String(body.length),
      ...(encoding ? { 'content-encoding': encoding } : {}),
    });
  }

  const redirect = (context: Context, path: string, location: string, status: 301 | 302 | 303 | 307 | 308) =>
    context.body(null, status, {
      ...Object.fromEntries(headersFor(headerRules, path)),
      location,
      'cache-control': REVALIDATE,
    });

  const site = new Hono();
  site.get('*', async (context) => {
    // Hono's `req.path` is partly decoded.
    const { pathname: path, search } = new URL(context.req.url);
    const found = await findFile(root, path);
    if (found) return send(context, found, 200);

    const moved = redirectOf(redirectRules, path);
    if (moved) return redirect(context, path, moved.location + search, moved.status);
    const slashless = withoutEndSlashes(path);
    if (slashless !== path && /^\/[^/]/.test(slashless) && (await findFile(root, slashless))) {
      return redirect(context, path, slashless + search, 301);
    }
    // HTML in place of a missing script would be a syntax error, and caches would store it.
    if (path.startsWith(HASHED)) return refuse(context, 404, 'Not found');
    const notFound = await findFile(root, '/404.html');
    return notFound ? send(context, notFound, 404) : refuse(context, 404, 'Not found');
  });
  site.all('*', (context) => refuse(context, 405, 'Method not allowed', { allow: 'GET, HEAD' }));
  site.onError((error, context) => {
    process.stderr.write(`${context.req.url}: ${String(error)}\n`);
    return refuse(context, 500, 'Internal error');
  });
  return site;
}
