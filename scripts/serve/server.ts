import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { getRequestListener } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { type Context, Hono, type MiddlewareHandler, type Next } from 'hono';
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from 'hono/compress';
import { etag } from 'hono/etag';
import { parseAccept } from 'hono/utils/accept';
import * as v from 'valibot';
import { BuildInfoSchema } from '#api/build-info.ts';
import { RETURN_PATHS } from '#page-table.ts';
import { listen } from '#server/http/node-server.ts';
import { compressWith, type Dictionary, dictionaryOf } from './dictionary.ts';

/**
 * Reads a `_headers` file as Netlify and Cloudflare Pages do: a path, then indented `Name: value` lines. Returns a
 * function that returns the headers of a path. If several rules set a header, their values are joined by commas.
 */
export function readHeaders(text: string): (pathname: string) => Headers {
  const rules: { pattern: URLPattern; headers: [name: string, value: string][] }[] = [];
  for (const line of text.split('\n')) {
    const [, name, value = ''] = /^\s+([\w-]+):(.*)$/.exec(line) ?? [];
    if (name) rules.at(-1)?.headers.push([name, value.trim()]);
    else if (line.startsWith('/'))
      rules.push({ pattern: new URLPattern({ pathname: line.trim() }), headers: [] });
  }
  return (pathname) =>
    new Headers(rules.filter(({ pattern }) => pattern.test({ pathname })).flatMap(({ headers }) => headers));
}

const accepts = ({ req }: Context, encoding: string): boolean =>
  parseAccept(req.header('Accept-Encoding') ?? '').some(({ type, q }) => type === encoding && q > 0);

/** Whether the browser holds this dictionary and can decode what is compressed with it. */
const holds = (context: Context, dictionary: Dictionary | undefined): boolean =>
  dictionary?.available === (context.req.header('Available-Dictionary') ?? 'none') && accepts(context, 'dcz');

/**
 * Compresses what is not compressed yet: pages for browsers that hold the dictionary, and the files of a site that
 * was built but not published. Each encoding is made once and then cached in memory.
 */
function encode(dictionary: Dictionary | undefined): MiddlewareHandler {
  const compressors: Readonly<Record<string, (content: Buffer) => Promise<Buffer>>> = {
    ...(dictionary && { dcz: (page) => compressWith(dictionary, page) }),
    br: promisify(brotliCompress),
    gzip: promisify(gzip),
  };
  const cached = new Map<string, Promise<Buffer>>();
  return async (context, next) => {
    await next();
    const type = context.res.headers.get('Content-Type') ?? '';
    if (!COMPRESSIBLE_CONTENT_TYPE_REGEX.test(type)) return;
    const isPage = type.startsWith('text/html');
    context.header('Vary', isPage ? 'Accept-Encoding, Available-Dictionary' : 'Accept-Encoding');
    const { headers, status, body } = context.res;
    const encoding =
      isPage && holds(context, dictionary) ? 'dcz' : ['br', 'gzip'].find((each) => accepts(context, each));
    const compress = compressors[encoding ?? ''];
    if (!encoding || !compress || !body || status === 206 || headers.has('Content-Encoding')) return;
    const content = Buffer.from(await context.res.arrayBuffer());
    const key = `${encoding} ${createHash('sha256').update(content).digest('base64')}`;
    const making = cached.get(key) ?? compress(content);
    cached.set(key, making);
    const compressed = await making;
    context.res = new Response(new Uint8Array(compressed), { status, headers });
    context.header('Content-Encoding', encoding);
    context.header('Content-Length', String(compressed.length));
  };
}

/** The folder in which every file name contains a hash of the content. */
const HASHED = '/_astro/';

/** Files for the host, not for visitors. */
const PRIVATE = /^\/_(?:headers|redirects)$|\.dcz$/;

const readText = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

const BuildInfo = v.pipe(v.string(), v.parseJson(), BuildInfoSchema);

/** Returns the dictionary that `build-info.json` names. */
async function readDictionary(root: string): Promise<Dictionary | undefined> {
  const info = v.safeParse(BuildInfo, await readText(join(root, 'build-info.json')));
  if (!info.success || !info.output.dictionary) return undefined;
  return readFile(join(root, info.output.dictionary)).then(dictionaryOf, () => undefined);
}

/**
 * Adds a route for each `/from [name=value] /to 301` of a `_redirects` file. A `:name` is one segment, which must be an id.
 * With `name=value` only this query is redirected, whatever its case.
 */
function addRedirects(site: Hono, text: string): void {
  for (const [, from = '', query, to = ''] of text.matchAll(/^(\/\S+) (?:(\w+=\S+) )?(\/\S+) 301$/gm)) {
    site.get(from.replace(/:\w+/g, '$&{[\\w.~-]+}'), (context, next) => {
      const { search } = new URL(context.req.url);
      if (query !== undefined)
        return search.slice(1).replaceAll('+', '%20').toLowerCase() === query.toLowerCase()
          ? context.redirect(to, 301)
          : next();
      const target = to.replace(/:(\w+)/g, (_, name: string) => context.req.param(name) ?? '');
      return context.redirect(target + search, 301);
    });
  }
}

/** Serves a built site as any plain static host does: PATH, PATH.html, or PATH/index.html. */
export async function createSite(directory: string): Promise<Hono> {
  const root = resolve(directory);
  const headersFor = readHeaders(await readText(join(root, '_headers')));
  const dictionary = await readDictionary(root);

  /** Answers with 404.html, except for assets: as a script it would be a syntax error, and be cached. */
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
  // Eight bytes are enough to distinguish two encodings of one file, and cheap to send.
  site.use(
    etag({
      generateDigest: async (body) =>
        (await crypto.subtle.digest('SHA-256', new Uint8Array(body))).slice(0, 8),
    }),
  );
  site.use(async (context, next) => {
    await next();
    // '/cart.html' needs the headers of '/cart'.
    const requested = context.req.path.replace(/(?:(?<=\/)index)?\.html$/, '');
    const path = context.res.status === 404 ? '/404' : requested;
    // The ETag is more precise.
    context.header('Last-Modified', undefined);
    for (const [name, value] of [['cache-control', 'no-cache'] as const, ...headersFor(path)])
      context.header(name, value);
  });
  site.use(encode(dictionary));
  site.get('*', (context, next) => (PRIVATE.test(context.req.path) ? notFound(context, next) : next()));
  addRedirects(site, await readText(join(root, '_redirects')));
  site.get('*', file(''), file('.html'));
  site.get('*', (context, next) => {
    // Hono's `req.path` is decoded, and an address may not be.
    const { pathname, search } = new URL(context.req.url);
    const isPage =
      /^\/[^/].*\/$/.test(pathname) && existsSync(join(root, `${context.req.path.slice(0, -1)}.html`));
    return isPage ? context.redirect(pathname.slice(0, -1) + search, 301) : notFound(context, next);
  });
  for (const path of RETURN_PATHS)
    site.on('POST', [path, `${path}/`], ({ req, redirect }) => redirect(path + new URL(req.url).search, 303));
  site.all('*', (context) => context.text('Method not allowed\n', 405, { allow: 'GET, HEAD' }));
  return site;
}

/** Serves the current content of the directory, such as a new release. A request never mixes two releases. */
function liveSite(site: string): (request: Request) => Promise<Response> {
  let current: { identity: string; site: Promise<Hono> } | undefined;

  const siteNow = async (): Promise<Hono> => {
    const stats = await stat(site);
    const directory = await realpath(site);
    // A file system may reuse the inode number of a deleted folder, so the birth time is compared too.
    const identity = `${directory} ${stats.dev}:${stats.ino} ${stats.birthtimeMs}`;
    if (current?.identity !== identity) {
      current = { identity, site: createSite(directory) };
    }
    return current.site;
  };

  return async (request) => {
    const site = await siteNow().catch(() => undefined);
    return site ? site.fetch(request) : new Response('There is no site yet\n', { status: 503 });
  };
}

/**
 * Serves a built site.
 * @param options the default port is any free one, the default host every address of this machine
 * @throws ExplainedError if the port is taken
 */
export async function serveSite(options: { directory: string; port?: number; host?: string }) {
  const handle = getRequestListener(liveSite(options.directory), { overrideGlobalObjects: false });
  const server = createServer(handle);
  const port = await listen(server, options.port ?? 0, options.host);
  return {
    url: `http://localhost:${port}`,
    port,
    /** Ends the server and its open connections. */
    close: async (): Promise<void> => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
