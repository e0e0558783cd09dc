/* What the service worker caches, and for how long. */

export type Kind = 'page' | 'code' | 'picture' | 'data';

const DAY_S = 86_400;

/** The most files in each cache, and their greatest age. */
export const LIMITS = {
  page: { maxEntries: 60, maxAgeSeconds: 30 * DAY_S },
  code: { maxEntries: 150, maxAgeSeconds: 90 * DAY_S },
  picture: { maxEntries: 150, maxAgeSeconds: 60 * DAY_S },
  data: { maxEntries: 60, maxAgeSeconds: 30 * DAY_S },
} as const satisfies Record<Kind, object>;

/** Together with `maxEntries` this limits the cache to 30 MB: 150 pictures of 200 KiB. */
const LARGEST_PICTURE_BYTES = 200 * 1024;

/** The path of the listing files of the build, and the page that shows them. */
const DATA = '/listing/';
const DATA_PAGE = '/products';

/** The pages of products are too many for the build's list. */
const PRODUCT = '/product/';
/** What may share the shop's origin, and is none of its pages. */
const NOT_THE_SHOP = /^\/(?:api|gateway|admin)(?:\/|$)/;

const HASHED = '/_astro/';
/** The browser itself keeps it, and only where the network's own answer reaches it. */
const DICTIONARY = '/_astro/dictionary.';
const PICTURE = /\.(?:avif|webp|png|jpe?g|gif|svg)$/;

/** The kind of a file of this shop, or undefined for one that is never cached, such as API responses. */
export function kindOf({ pathname }: URL, isPage: boolean): Kind | undefined {
  if (NOT_THE_SHOP.test(pathname) || pathname.startsWith(DICTIONARY)) return undefined;
  if (isPage) return 'page';
  if (pathname.startsWith(HASHED)) return PICTURE.test(pathname) ? 'picture' : 'code';
  return pathname.startsWith(DATA) ? 'data' : undefined;
}

/** The cache key of an address. Without the query all queries share one copy, and no order number is stored. */
export const keyOf = (address: string): string => address.replace(/[?#].*/, '');

const FORBIDS_CACHING = /\b(?:no-store|private)\b/i;

/** Whether the response is complete, from this shop and not redirected, and does not forbid to store it. */
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

/** Whether the build made the page. @param pages the build's list of all but products */
export function isBuiltPage(address: string, pages: readonly string[]): boolean {
  const { pathname } = new URL(address);
  return pathname.startsWith(PRODUCT) || pages.includes(pathname);
}

export const isSmall = (picture: Response): boolean =>
  Number(picture.headers.get('content-length') ?? Number.POSITIVE_INFINITY) <= LARGEST_PICTURE_BYTES;

/** Whether the page shows the listing files of the build. */
export const isDataPage = (address: string): boolean => new URL(address).pathname === DATA_PAGE;

const etagOf = (response: Response): string | undefined => response.headers.get('etag')?.replace(/^W\//, '');

/** Whether both responses have the same bytes. False when they have no ETag to compare. */
export const isSamePage = (cached: Response | undefined, fresh: Response): boolean =>
  cached !== undefined && etagOf(cached) !== undefined && etagOf(cached) === etagOf(fresh);
