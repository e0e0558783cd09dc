import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { type Context, Hono, type Next } from 'hono';
import { etag } from 'hono/etag';
import * as v from 'valibot';
import { BuildInfoReader } from '#api/schema/build-info.ts';
import { type Dictionary, dictionaryOf } from './dictionary.ts';
import { encode, holds } from './encode.ts';
import { headersFor, parseHeaders } from './headers-file.ts';

export type SiteOptions = {
  /** The built site. */
  directory: string;
  /** Whether redirects from `_redirects` work; plain hosts ignore that file. */
  redirects?: boolean;
};

/** The folder in which every file name contains a hash of the content. */
const HASHED = '/_astro/';

/** Files that are for the host, not for visitors. */
const PRIVATE = /^\/_(?:headers|redirects)$|\.dcz$/;

const readText = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

/** Reads the dictionary that `build-info.json` names. */
async function readDictionary(root: string): Promise<Dictionary | undefined> {
  const info = v.safeParse(
    BuildInfoReader,
    JSON.parse((await readText(join(root, 'build-info.json'))) || '{}'),
  );
  if (!info.success || !info.output.dictionary) return undefined;
  return readFile(join(root, info.output.dictionary)).then(dictionaryOf, () => undefined);
}

/** A route for each `/from /to 301` of a `_redirects` file. A `:name` stands for one segment, which must be an id. */
function addRedirects(site: Hono, text: string): void {
  for (const [, from = '', to = ''] of text.matchAll(/^(\/\S+)\s+(\/\S+)\s+301$/gm)) {
    site.get(from.replace(/:\w+/g, '$&{[\\w.~-]+}'), (context) => {
      const target = to.replace(/:(\w+)/g, (_, name: string) => context.req.param(name) ?? '');
      return context.redirect(target + new URL(context.req.url).search, 301);
    });
  }
}

/** Answers GET and HEAD from a built site as any plain static host does: PATH, PATH.html, or PATH/index.html. */
export async function createSite({ directory, redirects = true }: SiteOptions): Promise<Hono> {
  const root = resolve(directory);
  const rules = parseHeaders(await readText(join(root, '_headers')));
  const dictionary = await readDictionary(root);

  /** 404.html, whatever the address. It would be a syntax error in the place of a script, and caches would store it. */
  async function notFound(context: Context, next: Next): Promise<Response> {
    const page = context.req.path.startsWith(HASHED)
      ? undefined
      : await serveStatic({ root, path: '404.html' })(context, next);
    return page
      ? new Response(page.body, { status: 404, headers: page.headers })
      : context.text('Not found\n', 404);
  }

  const file = (suffix: '' | '.html') => {
    const options = { root, rewriteRequestPath: (path: string) => path + suffix };
    const [plain, packed] = [serveStatic(options), serveStatic({ ...options, precompressed: true })];
    return (context: Context, next: Next) => (holds(context, dictionary) ? plain : packed)(context, next);
  };

  const site = new Hono();
  // Eight bytes are enough to tell two forms of one file apart, and few to send.
  site.use(
    etag({
      generateDigest: async (body) =>
        (await crypto.subtle.digest('SHA-256', new Uint8Array(body))).slice(0, 8),
    }),
  );
  site.use(async (context, next) => {
    await next();
    // '/cart.html' needs the headers of '/cart'.
    const asked = context.req.path.replace(/(?:(?<=\/)index)?\.html$/, '');
    const path = context.res.status === 404 ? '/404' : asked;
    const given = headersFor(rules, path);
    // The ETag says more.
    context.header('Last-Modified', undefined);
    for (const [name, value] of [['cache-control', 'no-cache'] as const, ...given])
      context.header(name, value);
  });
  site.use(encode(dictionary));
  site.get('*', (context, next) => (PRIVATE.test(context.req.path) ? notFound(context, next) : next()));
  site.get('*', file(''), file('.html'));
  if (redirects) addRedirects(site, await readText(join(root, '_redirects')));
  site.get('*', (context, next) => {
    // Hono's `req.path` is decoded, and an address may not be.
    const { pathname, search } = new URL(context.req.url);
    const isPage =
      /^\/[^/].*\/$/.test(pathname) && existsSync(join(root, `${context.req.path.slice(0, -1)}.html`));
    return isPage ? context.redirect(pathname.slice(0, -1) + search, 301) : notFound(context, next);
  });
  site.all('*', (context) => context.text('Method not allowed\n', 405, { allow: 'GET, HEAD' }));
  site.onError((error, context) => {
    process.stderr.write(`${context.req.url}: ${String(error)}\n`);
    return context.text('Internal error\n', 500);
  });
  return site;
}
