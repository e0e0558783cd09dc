import type { WorkboxPlugin } from 'workbox-core/types.js';
import { ExpirationPlugin } from 'workbox-expiration';
import { CacheFirst, NetworkFirst, type Strategy } from 'workbox-strategies';
import {
  isBuiltPage,
  isCacheable,
  isDataPage,
  isSamePage,
  isSmall,
  type Kind,
  keyOf,
  LIMITS,
} from './rules.ts';

/** After this time the cached copy is used. A later response of the network still updates the cache. */
const NETWORK_TIMEOUT_S = 3;

const cacheName = (kind: Kind): string => `shop-${kind}`;

const ignoreQuery: WorkboxPlugin = {
  cacheKeyWillBeUsed: async ({ request }) => keyOf(request.url),
};

const cacheOnlyIf = (fits: (response: Response, request: Request) => boolean): WorkboxPlugin => ({
  cacheWillUpdate: async ({ response, request }) => (fits(response, request) ? response : null),
});

/** Deletes the cached data if the page has changed, because it would show older prices than the page. */
async function dropOlderData(request: Request, response: Response): Promise<void> {
  if (response.status !== 200 || !isDataPage(request.url)) return;
  const pages = await caches.open(cacheName('page'));
  if (!isSamePage(await pages.match(keyOf(request.url)), response)) await caches.delete(cacheName('data'));
}

/** Runs before a page is shown, and before it replaces the cached copy that it is compared with. */
const noOlderData: WorkboxPlugin = {
  handlerWillRespond: async ({ request, response }) => {
    await dropOlderData(request, response);
    return response;
  },
  cacheWillUpdate: async ({ request, response }) => {
    await dropOlderData(request, response);
    return response;
  },
};

/** The cast is needed because Workbox's plugin class allows `undefined` where its plugin type does not. */
const boundedBy = (limits: (typeof LIMITS)[Kind]): WorkboxPlugin =>
  new ExpirationPlugin({ ...limits, purgeOnQuotaError: true }) as WorkboxPlugin;

const options = (kind: Kind, ...plugins: WorkboxPlugin[]) => ({
  cacheName: cacheName(kind),
  matchOptions: { ignoreVary: true },
  plugins: [ignoreQuery, cacheOnlyIf(isCacheable), ...plugins, boundedBy(LIMITS[kind])],
});

/**
 * Pages and data come from the network while there is one. Files with a hash in their name never change.
 * @param pages the pages of the build that may be stored, all but products
 */
export const createStrategies = (pages: readonly string[]): Readonly<Record<Kind, Strategy>> => ({
  page: new NetworkFirst({
    ...options(
      'page',
      cacheOnlyIf((_, { url }) => isBuiltPage(url, pages)),
      noOlderData,
    ),
    networkTimeoutSeconds: NETWORK_TIMEOUT_S,
  }),
  data: new NetworkFirst({
    ...options('data'),
    networkTimeoutSeconds: NETWORK_TIMEOUT_S,
    fetchOptions: { cache: 'no-cache' },
  }),
  code: new CacheFirst(options('code')),
  picture: new CacheFirst(options('picture', cacheOnlyIf(isSmall))),
});
