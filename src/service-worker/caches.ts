import type { WorkboxPlugin } from 'workbox-core/types.js';
import { ExpirationPlugin } from 'workbox-expiration';
import { CacheFirst, NetworkFirst, type Strategy } from 'workbox-strategies';
import { drawsData, isSamePage, isSmall, isWhole, type Kind, keyOf, LIMITS } from './rules.ts';

/** A bad line gets what was kept after this time; the answer, when it comes, is kept for the next time. */
const PATIENCE_S = 3;

const cacheName = (kind: Kind): string => `shop-${kind}`;

const byAddress: WorkboxPlugin = {
  cacheKeyWillBeUsed: async ({ request }) => keyOf(request.url),
};

const keepIf = (fits: (response: Response) => boolean): WorkboxPlugin => ({
  cacheWillUpdate: async ({ response }) => (fits(response) ? response : null),
});

/** What was kept before the page changed would show older prices than the page (faults 90). */
async function dropOlderData(request: Request, response: Response): Promise<void> {
  if (response.status !== 200 || !drawsData(request.url)) return;
  const pages = await caches.open(cacheName('page'));
  if (!isSamePage(await pages.match(keyOf(request.url)), response)) await caches.delete(cacheName('data'));
}

/** Before the page is shown, and before it replaces the one that was kept. */
const freshData: WorkboxPlugin = {
  handlerWillRespond: async ({ request, response }) => {
    await dropOlderData(request, response);
    return response;
  },
  cacheWillUpdate: async ({ request, response }) => {
    await dropOlderData(request, response);
    return response;
  },
};

/** Workbox declares its plugin with `undefined` where its own plugin type has none. */
const boundedBy = (limits: (typeof LIMITS)[Kind]): WorkboxPlugin =>
  new ExpirationPlugin({ ...limits, purgeOnQuotaError: true }) as WorkboxPlugin;

const options = (kind: Kind, ...plugins: WorkboxPlugin[]) => ({
  cacheName: cacheName(kind),
  matchOptions: { ignoreVary: true },
  plugins: [byAddress, keepIf(isWhole), ...plugins, boundedBy(LIMITS[kind])],
});

/** Pages and data are the network's while there is one; what has a hash in its name never changes. */
export const strategies: Readonly<Record<Kind, Strategy>> = {
  page: new NetworkFirst({ ...options('page', freshData), networkTimeoutSeconds: PATIENCE_S }),
  data: new NetworkFirst({
    ...options('data'),
    networkTimeoutSeconds: PATIENCE_S,
    fetchOptions: { cache: 'no-cache' },
  }),
  code: new CacheFirst(options('code')),
  picture: new CacheFirst(options('picture', keepIf(isSmall))),
};
