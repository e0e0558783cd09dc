/** What the worker keeps, and for how long; all by one address, whatever follows its '?'. */

export type Kind = 'page' | 'code' | 'picture' | 'data';

const DAY_S = 86_400;

/** At most so many, for so long. */
export const LIMITS = {
  page: { maxEntries: 60, maxAgeSeconds: 30 * DAY_S },
  code: { maxEntries: 150, maxAgeSeconds: 90 * DAY_S },
  picture: { maxEntries: 150, maxAgeSeconds: 60 * DAY_S },
  data: { maxEntries: 60, maxAgeSeconds: 30 * DAY_S },
} as const satisfies Record<Kind, object>;

/** With the number of pictures this bounds their bytes: 150 of 200 KiB are 30 MB. */
const LARGEST_PICTURE_BYTES = 200 * 1024;

/** Where the listing's files of the build lie, and the page they stand on. */
const DATA = '/listing/';
const DATA_PAGE = '/products';

const HASHED = '/_astro/';
/** The browser itself keeps it, and only where the network's own answer reaches it. */
const DICTIONARY = '/_astro/dictionary.';
const PICTURE = /\.(?:avif|webp|png|jpe?g|gif|svg)$/;

/** What a file of this shop is; nothing for all that is never kept, API answers first of all (faults 90). */
export function kindOf({ pathname }: URL, isPage: boolean): Kind | undefined {
  if (pathname.startsWith('/api/') || pathname.startsWith(DICTIONARY)) return undefined;
  if (isPage) return 'page';
  if (pathname.startsWith(HASHED)) return PICTURE.test(pathname) ? 'picture' : 'code';
  return pathname.startsWith(DATA) ? 'data' : undefined;
}

/** One copy of a page serves all its queries, so no order number is kept in an address either. */
export const keyOf = (address: string): string => address.replace(/[?#].*/, '');

/** Only what came whole, from this shop, from where it was asked for. */
export const isWhole = ({
  status,
  type,
  redirected,
}: Pick<Response, 'status' | 'type' | 'redirected'>): boolean =>
  status === 200 && type === 'basic' && !redirected;

export const isSmall = (picture: Response): boolean =>
  Number(picture.headers.get('content-length') ?? Number.POSITIVE_INFINITY) <= LARGEST_PICTURE_BYTES;

/** Whether data of the build stands on this page. */
export const drawsData = (address: string): boolean => new URL(address).pathname === DATA_PAGE;

const etagOf = (response: Response): string | undefined => response.headers.get('etag')?.replace(/^W\//, '');

/** Whether the page is byte for byte what was kept; in doubt it is not. */
export const isSamePage = (kept: Response | undefined, fresh: Response): boolean =>
  kept !== undefined && etagOf(kept) !== undefined && etagOf(kept) === etagOf(fresh);
