import { extname } from 'node:path';
import { mimes } from 'hono/utils/mime';
import { fileOf, PAGES, rowOf } from '#page-table.ts';
import type { SiteSettings } from '#server/settings/settings.ts';
import { type Directives, type PageKind, policyText } from './content-security-policy.ts';

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

export type Headers = Readonly<Record<string, string>>;

/** Headers for some files, besides those of `everywhere`. Only the dictionary matches two rules. */
export interface Rule {
  /** Files of the site; a final `*` matches any rest. */
  readonly files: readonly string[];
  readonly headers: Headers;
}

export interface Redirect {
  /** `:id` stands for one segment. */
  readonly from: string;
  readonly to: string;
  readonly status: 301;
}

/** Returns the pattern of a redirect's address. `:id` is one segment of the characters of ids. */
export const patternOf = ({ from }: Redirect): string =>
  `^${from.replaceAll('.', String.raw`\.`).replace(/:\w+/, String.raw`([\w.~-]+)`)}$`;

/** The file of a release with its hosting, which install.ts validates. */
export const HOSTING_FILE = 'hosting.json';

/** How hosts must serve the built site. The configuration files of every host are written from this model. */
export interface Hosting {
  readonly everywhere: Headers;
  readonly rules: readonly Rule[];
  /** The headers of 404.html, at whatever address it is shown. */
  readonly notFound: Headers;
  readonly redirects: readonly Redirect[];
  /** The value of `Available-Dictionary` from a browser that holds the release's dictionary; absent without one. */
  readonly available?: string;
}

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

const DENIED_FEATURES = 'camera geolocation microphone';

function everywhere({ hsts }: SiteSettings): Headers {
  return {
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Permissions-Policy': DENIED_FEATURES.split(' ')
      .map((feature) => `${feature}=()`)
      .join(', '),
    ...(hsts === undefined ? {} : { 'Strict-Transport-Security': hsts }),
  };
}

/** @param kind the page's file, or its family */
const pageHeaders = (kind: string, policy: Directives): Headers => ({
  'Content-Security-Policy': policyText(policy),
  'Referrer-Policy': rowOf(kind)?.referrer ?? 'strict-origin-when-cross-origin',
  // A gateway in a new window may need `window.opener`.
  'Cross-Origin-Opener-Policy': rowOf(kind)?.handsOver ? 'same-origin-allow-popups' : 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': REVALIDATE,
});

const cacheRule = (files: readonly string[], cache: string): Rule => ({
  files,
  headers: { 'Cache-Control': cache },
});

const isWorker = (file: string): boolean => /(^|\/)(sw|service-worker)\.js$/.test(file);

const isTopFile = (file: string): boolean => !file.includes('/') && !/\.(html|br|gz)$/.test(file);

/**
 * Returns the hosting of a site with these kinds of pages and these other files.
 * @param moved new ids of products by the old ones
 */
export function hostingOf(
  kinds: readonly PageKind[],
  notFoundPolicy: Directives,
  files: readonly string[],
  settings: SiteSettings,
  moved: Readonly<Record<string, string>> = {},
): Hosting {
  const top = files.filter((file) => isTopFile(file) && !file.startsWith('_'));
  const fresh = top.filter((file) => isWorker(file) || /\.(json|js|xml)$/.test(file));
  const cacheable = top.filter((file) => !fresh.includes(file));
  return {
    everywhere: everywhere(settings),
    rules: [
      ...kinds.map(({ files, policy }) => ({ files: [files], headers: pageHeaders(files, policy) })),
      cacheRule([`${ASSETS}*`], FOREVER),
      { files: [`${DICTIONARY}*`], headers: { 'Use-As-Dictionary': FOR_PAGES } },
      cacheRule([...new Set([...fresh, 'build-info.json', DATA])].sort(), REVALIDATE),
      cacheRule(cacheable, ICONS),
    ],
    notFound: pageHeaders(fileOf(PAGES.notFound), notFoundPolicy),
    redirects: [
      ...Object.entries(moved).map(
        ([old, id]): Redirect => ({ from: `/product/${old}`, to: `/product/${id}`, status: 301 }),
      ),
      { from: '/products/:id', to: '/product/:id', status: 301 },
    ],
  };
}
