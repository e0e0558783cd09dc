import { parseJson } from '#domain/json.ts';

export type Kind = 'page' | 'code' | 'picture' | 'data';

const DAY_S = 86_400;

export const LIMITS = {
  page: { maxEntries: 60, maxAgeSeconds: 30 * DAY_S },
  code: { maxEntries: 150, maxAgeSeconds: 90 * DAY_S },
  picture: { maxEntries: 150, maxAgeSeconds: 60 * DAY_S },
  data: { maxEntries: 60, maxAgeSeconds: 30 * DAY_S },
} as const satisfies Record<Kind, object>;

/** With `maxEntries`, limits the cache to 30 MB: 150 pictures of 200 KiB. */
const LARGEST_PICTURE_BYTES = 200 * 1024;

/** Listing data, and the page that shows it. */
const DATA = '/listing/';
const DATA_PAGE = '/products';

/** The build's list of pages does not include products, which are too many. */
const PRODUCT = '/product/';
/** Paths on the shop's origin that are not its pages. */
const NOT_THE_SHOP = /^\/(?:api|gateway|admin)(?:\/|$)/;

const HASHED = '/_astro/';
/** The browser stores it itself, and only from a network response. */
const DICTIONARY = '/_astro/dictionary.';
const PICTURE = /\.(?:avif|webp|png|jpe?g|gif|svg)$/;

/** Returns undefined for what is never cached, such as API responses. */
export function kindOf({ pathname }: URL, isPage: boolean): Kind | undefined {
  if (NOT_THE_SHOP.test(pathname) || pathname.startsWith(DICTIONARY)) return undefined;
  if (isPage) return 'page';
  if (pathname.startsWith(HASHED)) return PICTURE.test(pathname) ? 'picture' : 'code';
  return pathname.startsWith(DATA) ? 'data' : undefined;
}

/** Drops the query, so that all queries share one copy and no order number is stored. */
export const keyOf = (address: string): string => address.replace(/[?#].*/, '');

const FORBIDS_CACHING = /\b(?:no-store|private)\b/i;

/** Whether the response is complete, same-origin, not redirected, and does not forbid caching. */
export const isCacheable = ({
  status,
  type,
  redirected,
  headers,
}: Pick<Response, 'status' | 'type' | 'redirected' | 'headers'>): boolean =>
  status === 200 &&
  type === 'basic' &&
  !redirected &&
  !FORBIDS_CACHING.test(headers.get('cache-control') ?? '');

/** The content type of a file, by its extension. All others are pages. */
const TYPES: Readonly<Record<string, RegExp>> = { js: /javascript/, json: /json/, woff2: /font|octet/ };

/**
 * Whether the response is what its address names. Filters and network sign-ins send their own pages with status 200, or
 * nothing.
 * Pages of the shop contain their scripts' addresses.
 */
export async function isOfItsKind(response: Response, { pathname }: URL): Promise<boolean> {
  const [, extension = ''] = pathname.startsWith(PRODUCT) ? [] : (/\.(\w+)$/.exec(pathname) ?? []);
  const type = PICTURE.test(pathname) ? /^image|octet/ : (TYPES[extension] ?? /html/);
  const { status, headers } = response;
  if (status !== 200 || headers.get('content-length') === '0') return false;
  if (!type.test(headers.get('content-type') ?? '')) return false;
  if (extension === 'json') return parseJson(await response.clone().text()) instanceof Object;
  return !type.test('html') || (await response.clone().text()).includes(HASHED);
}

/** @param pages all built pages except products */
export function isBuiltPage(address: string, pages: readonly string[]): boolean {
  const { pathname } = new URL(address);
  return pathname.startsWith(PRODUCT) || pages.includes(pathname);
}

export const isSmall = (picture: Response): boolean =>
  Number(picture.headers.get('content-length') ?? Number.POSITIVE_INFINITY) <= LARGEST_PICTURE_BYTES;

export const isDataPage = (address: string): boolean => new URL(address).pathname === DATA_PAGE;

const etagOf = (response: Response): string | undefined => response.headers.get('etag')?.replace(/^W\//, '');

/** Whether both responses have the same ETag. False if they have none. */
export const isSamePage = (cached: Response | undefined, fresh: Response): boolean =>
  cached !== undefined && etagOf(cached) !== undefined && etagOf(cached) === etagOf(fresh);
