import { extname } from 'node:path';
import { mimes } from 'hono/utils/mime';
import * as v from 'valibot';
import { rowOf } from '#page-table.ts';
import type { SiteSettings } from '#server/settings/settings.ts';
import { type Directives, NOT_FOUND, type Policies, policyText } from './content-security-policy.ts';

const EXTENSIONS = [
  ...['html', 'css', 'js', 'mjs', 'json', 'webmanifest', 'map', 'xml', 'txt'],
  ...['svg', 'png', 'jpg', 'jpeg', 'webp', 'avif', 'gif', 'ico', 'woff2', 'pdf'],
] as const;

/** Content types keyed by extension such as `.html`, as Hono's server sends them. */
export const TYPES: Readonly<Record<string, string>> = Object.fromEntries(
  EXTENSIONS.map((extension) => [`.${extension}`, mimes[extension] ?? '']),
);

const COMPRESSIBLE = /^(text\/|application\/(json|xml|manifest\+json)|image\/svg)/;

export const isHtml = (file: string): boolean => file.endsWith('.html');

export const isCompressible = (file: string): boolean =>
  COMPRESSIBLE.test(TYPES[extname(file).toLowerCase()] ?? '');

/**
 * nginx and Caddy would interpret `$`, `{` and `\\`. For a header named `import` Caddy imports a file, and a name
 * that begins with `-` removes a header. So names must look as the shop writes them.
 */
const Headers = v.record(
  v.pipe(v.string(), v.regex(/^[A-Z][a-z]*(?:-[A-Z][a-z]*)*$/)),
  v.pipe(v.string(), v.regex(/^[\x20-\x7e]*$/), v.regex(/^[^$\\{}`]*$/)),
);

export type Headers = Readonly<v.InferOutput<typeof Headers>>;

/** Headers for some files, besides those of `everywhere`. Only the dictionary matches two rules. */
const Rule = v.object({
  /** Files of the site; a final `*` matches any rest. */
  files: v.array(v.pipe(v.string(), v.regex(/^[\w.~-][\w.~/-]*\*?$/))),
  headers: Headers,
});

/** An address that moved for good (301). */
const Redirect = v.object({
  /** `:id` stands for one segment. */
  from: v.pipe(v.string(), v.regex(/^(?:\/:?[\w.~-]+)+$/)),
  /** The whole query of the old address, in lower case. Without it, the old address keeps any query. */
  query: v.exactOptional(v.pipe(v.string(), v.regex(/^\w+=[\w%.~!*'()-]+$/))),
  to: v.pipe(v.string(), v.regex(/^(?:\/:?[\w.~-]+)+(?:\?[\w=%.~!*'()-]+)?$/)),
});

export type Redirect = v.InferOutput<typeof Redirect>;

/** Returns the pattern of a redirect's path. `:id` is one segment of the characters of ids. */
export const patternOf = ({ from }: Redirect): string =>
  `^${from.replaceAll('.', String.raw`\.`).replace(/:\w+/, String.raw`([\w.~-]+)`)}$`;

/** Returns the pattern of a query, which is matched without regard to case. */
export const queryPatternOf = (query: string): string =>
  `^${query.replace(/[.*()]/g, '\\$&').replaceAll('%20', String.raw`(?:%20|\+)`)}$`;

/** How hosts must serve the built site. The configuration files of every host are written from this model. */
export const HostingSchema = v.object({
  everywhere: Headers,
  rules: v.array(Rule),
  /** The headers of 404.html, at whatever address it is shown. */
  notFound: Headers,
  redirects: v.array(Redirect),
  /** The value of `Available-Dictionary` from a browser that holds the release's dictionary; absent without one. */
  available: v.exactOptional(v.pipe(v.string(), v.regex(/^:[\w+/=-]+:$/))),
});

export type Hosting = v.InferOutput<typeof HostingSchema>;

/** The file of a release with its hosting, which install.ts validates. */
export const HOSTING_FILE = 'hosting.json';

const FOREVER = 'public, max-age=31536000, immutable';

/** Caches store the file, but revalidate it by its ETag each time. */
const REVALIDATE = 'no-cache';

/** The folder in which every file name contains a hash of the content. */
export const ASSETS = '_astro/';

/** The start of the dictionary's file name. */
export const DICTIONARY = `${ASSETS}dictionary.`;

/** Browsers use the dictionary for pages that they open, and for what scripts fetch, as the service worker does (RFC 9842). */
const FOR_PAGES = 'match="/*", match-dest=("document" "")';

/** Data that scripts render into pages. If it were cached, it could show older prices than the page. */
const DATA = 'listing/*';

const ICONS = 'public, max-age=86400';

/** @param kind the page's file, or its family */
const pageHeaders = (kind: string, policy: Directives): Headers => ({
  'Content-Security-Policy': policyText(policy),
  'Referrer-Policy': rowOf(kind)?.referrer ?? 'strict-origin-when-cross-origin',
  // A gateway in a new window may need `window.opener`.
  'Cross-Origin-Opener-Policy': rowOf(kind)?.handsOver ? 'same-origin-allow-popups' : 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': REVALIDATE,
});

const cacheRule = (files: string[], cache: string) => ({ files, headers: { 'Cache-Control': cache } });

/** nginx reads no word of more than 4 KiB in its configuration. */
const MAX_ADDRESS_LENGTH = 1_000;

/**
 * Returns the hosting of a site with these kinds of pages and these other files.
 * @param moved new addresses by the old ones
 */
export function hostingOf(
  policies: Policies,
  files: readonly string[],
  { hsts }: SiteSettings,
  moved: Readonly<Record<string, string>> = {},
): Hosting {
  const top = files.filter((file) => /^[^_/][^/]*$/.test(file) && !isHtml(file));
  const fresh = top.filter((file) => /\.(json|js|xml)$/.test(file));
  const cacheable = top.filter((file) => !fresh.includes(file));
  return {
    everywhere: {
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
      ...(hsts === undefined ? {} : { 'Strict-Transport-Security': hsts }),
    },
    rules: [
      ...[...policies].map(([kind, policy]) => ({ files: [kind], headers: pageHeaders(kind, policy) })),
      cacheRule([`${ASSETS}*`], FOREVER),
      { files: [`${DICTIONARY}*`], headers: { 'Use-As-Dictionary': FOR_PAGES } },
      cacheRule([...new Set([...fresh, 'build-info.json', DATA])].sort(), REVALIDATE),
      cacheRule(cacheable, ICONS),
    ],
    notFound: pageHeaders(NOT_FOUND, policies.get(NOT_FOUND) ?? {}),
    redirects: [
      ...Object.entries(moved).flatMap(([old, to]) => {
        const [from = '', query] = old.split('?');
        const isShort = Math.max(old.length, to.length) <= MAX_ADDRESS_LENGTH;
        return isShort ? [{ from, ...(query === undefined ? {} : { query }), to }] : [];
      }),
      { from: '/products/:id', to: '/product/:id' },
    ],
  };
}
