import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, relative, resolve, sep } from 'node:path';
import { contentType, isCompressible, isHtml } from './content-types.ts';
import { type Found, findFile } from './find-file.ts';
import { headersFor, parseHeaders } from './headers-file.ts';
import { parseRedirects, redirectOf } from './redirects-file.ts';
import { chooseEncoding, createRepresentations } from './representation.ts';

export type SiteOptions = {
  /** The built site. */
  directory: string;
  /** Whether `_redirects` counts; plain hosts ignore it. */
  redirects?: boolean;
};

/** Where every file's name holds a hash of its content. */
const HASHED = '/_astro/';
const FOREVER = 'public, max-age=31536000, immutable';
const REVALIDATE = 'no-cache';

const readText = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '').split(',').some((entry) => entry.trim() === etag || entry.trim() === '*');

/** Answers GET and HEAD from a built site as any plain static host does (resolutions 2). */
export const createSiteHandler = async ({ directory, redirects = true }: SiteOptions) => {
  const root = resolve(directory);
  const headerRules = parseHeaders(await readText(join(root, '_headers')));
  const redirectRules = redirects ? parseRedirects(await readText(join(root, '_redirects'))) : [];
  const represent = createRepresentations();

  /** The file's own address: a page is shown at '/%63art', '//cart' and '/cart.html' too, and needs its headers there. */
  const addressOf = ({ file }: Found): string =>
    `/${relative(root, file).replaceAll(sep, '/')}`.replace(/(?:(?<=\/)index)?\.html$/, '');

  const refuse = (response: ServerResponse, status: number, text: string): void => {
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': REVALIDATE });
    response.end(`${text}\n`);
  };

  const send = async (
    request: IncomingMessage,
    response: ServerResponse,
    status: number,
    found: Found,
  ): Promise<void> => {
    const address = addressOf(found);
    const { body, encoding, etag } = await represent(
      found,
      chooseEncoding(request.headers['accept-encoding']),
    );
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader(
      'cache-control',
      address.startsWith(HASHED) && !isHtml(found.file) ? FOREVER : REVALIDATE,
    );
    for (const [name, value] of headersFor(headerRules, address)) response.setHeader(name, value);
    response.setHeader('etag', etag);
    if (isCompressible(found.file)) response.setHeader('vary', 'Accept-Encoding');
    if (status === 200 && isKnown(request.headers['if-none-match'], etag)) {
      response.writeHead(304).end();
      return;
    }
    response.setHeader('content-type', contentType(found.file));
    response.setHeader('content-length', body.length);
    if (encoding !== 'identity') response.setHeader('content-encoding', encoding);
    response.writeHead(status).end(request.method === 'HEAD' ? undefined : body);
  };

  const redirect = (response: ServerResponse, path: string, location: string, status: number): void => {
    for (const [name, value] of headersFor(headerRules, path)) response.setHeader(name, value);
    response.writeHead(status, { location, 'cache-control': REVALIDATE }).end();
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      return refuse(response, 405, 'Method not allowed');
    }
    const [path = '/', ...query] = (request.url ?? '/').split('?');
    const search = query.length > 0 ? `?${query.join('?')}` : '';
    const found = await findFile(root, path);
    if (found) return send(request, response, 200, found);

    const moved = redirectOf(redirectRules, path);
    if (moved) return redirect(response, path, moved.location + search, moved.status);
    const slashless = path.replace(/\/+$/, '');
    if (slashless !== path && /^\/[^/]/.test(slashless) && (await findFile(root, slashless))) {
      return redirect(response, path, slashless + search, 301);
    }
    // A missing script answered with HTML would fail as a syntax error, and be kept by caches.
    if (path.startsWith(HASHED)) return refuse(response, 404, 'Not found');
    const notFound = await findFile(root, '/404.html');
    return notFound ? send(request, response, 404, notFound) : refuse(response, 404, 'Not found');
  };

  return (request: IncomingMessage, response: ServerResponse): void => {
    answer(request, response).catch((error: unknown) => {
      process.stderr.write(`${request.url}: ${String(error)}\n`);
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'Internal error');
    });
  };
};
