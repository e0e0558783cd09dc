import { clientsClaim, setCacheNameDetails } from 'workbox-core';
import type { WorkboxPlugin } from 'workbox-core/types.js';
import { ExpirationPlugin } from 'workbox-expiration';
import * as navigationPreload from 'workbox-navigation-preload';
import { addPlugins, matchPrecache, precacheAndRoute } from 'workbox-precaching';
import { registerRoute, setCatchHandler } from 'workbox-routing';
import { CacheFirst, NetworkFirst, type Strategy } from 'workbox-strategies';
import { OWN } from '#domain/json.ts';
import {
  isBuiltPage,
  isCacheable,
  isDataPage,
  isOfItsKind,
  isSamePage,
  isSmall,
  type Kind,
  keyOf,
  kindOf,
  LIMITS,
} from './rules.ts';
import type { MessageToWorker, WorkerBuild, WorkerScope } from './scope.ts';

/** After this time the cached copy is used. A later response still updates the cache. */
const NETWORK_TIMEOUT_S = 3;

const cacheName = (kind: Kind): string => `${OWN}${kind}`;

const ignoreQuery: WorkboxPlugin = {
  cacheKeyWillBeUsed: async ({ request }) => keyOf(request.url),
};

const cacheOnlyIf = (fits: (response: Response, request: Request) => boolean): WorkboxPlugin => ({
  cacheWillUpdate: async ({ response, request }) => (fits(response, request) ? response : null),
});

/** Ignores a wrong response even in the cache. The next one from the network replaces it. */
const onlyOfItsKind: WorkboxPlugin = {
  cacheWillUpdate: async ({ response, request: { url } }) =>
    (await isOfItsKind(response, new URL(url))) ? response : null,
  cachedResponseWillBeUsed: async ({ cachedResponse, request: { url } }) =>
    cachedResponse && (await isOfItsKind(cachedResponse, new URL(url))) ? cachedResponse : null,
};

type Fetched = { readonly request: Request; readonly response: Response };

/** Deletes the cached listing data if the page has changed, because its prices would be older than the page's. */
async function dropOlderData({ request, response }: Fetched): Promise<Response> {
  if (response.status !== 200 || !isDataPage(request.url)) return response;
  const pages = await caches.open(cacheName('page'));
  if (!isSamePage(await pages.match(keyOf(request.url)), response)) await caches.delete(cacheName('data'));
  return response;
}

/** Runs before a page is shown, and before it replaces the cached copy with which it is compared. */
const noOlderData: WorkboxPlugin = { handlerWillRespond: dropOlderData, cacheWillUpdate: dropOlderData };

/** The cast is needed: Workbox's plugin class allows `undefined` where its plugin type does not. */
const boundedBy = (limits: (typeof LIMITS)[Kind]): WorkboxPlugin =>
  new ExpirationPlugin({ ...limits, purgeOnQuotaError: true }) as WorkboxPlugin;

const options = (kind: Kind, ...plugins: WorkboxPlugin[]) => ({
  cacheName: cacheName(kind),
  matchOptions: { ignoreVary: true },
  plugins: [ignoreQuery, cacheOnlyIf(isCacheable), onlyOfItsKind, ...plugins, boundedBy(LIMITS[kind])],
});

/**
 * Pages and data prefer the network. Files with a hash in their name never change, so they prefer the cache.
 * @param pages all built pages except products
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

declare const self: WorkerScope;
/** Inserted by the build. */
declare const BUILD: WorkerBuild;

const { shell, steps, pages }: WorkerBuild = BUILD;

const strategies = createStrategies(pages);

const OFFLINE_PAGE = '/offline.html';

const isNavigation = ({ mode }: Request): boolean => mode === 'navigate';

const hasNoExtension = ({ pathname }: URL): boolean => !/\.\w+$/.test(pathname);

async function cacheOne(url: URL, kind: Kind, event: MessageToWorker): Promise<void> {
  const [response, done] = strategies[kind].handleAll({ event, request: new Request(url) });
  await Promise.allSettled([response, done]);
}

/** Caches addresses of this shop. Pages come last, so that a cached page already has its files. */
async function cacheAll(addresses: readonly string[], event: MessageToWorker): Promise<void> {
  const ownUrls = addresses
    .map((address) => new URL(address, location.origin))
    .filter(({ origin }) => origin === location.origin);
  for (const isPage of [false, true]) {
    const urls = ownUrls.filter((url) => hasNoExtension(url) === isPage);
    await Promise.all(
      urls.map((url) => {
        const kind = kindOf(url, isPage);
        return kind && cacheOne(url, kind, event);
      }),
    );
  }
}

const stringsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];

function onMessage(event: MessageToWorker): void {
  const { data } = event;
  if (typeof data !== 'object' || data === null) return;
  if ('cache' in data) event.waitUntil(cacheAll(stringsIn(data.cache), event));
  if ('warm' in data) event.waitUntil(cacheAll(steps[String(data.warm)] ?? [], event));
}

void self.skipWaiting();
clientsClaim();
// Firefox shows its own error page for a preload that fails, whatever the worker responds.
if (navigator.userAgent.includes('Firefox/')) navigationPreload.disable();
else navigationPreload.enable();
// Must run before anything that creates the precache, whose name is fixed from then on.
setCacheNameDetails({ prefix: OWN });
addPlugins([onlyOfItsKind]);
precacheAndRoute([...shell]);
for (const kind of ['page', 'data', 'code', 'picture'] as const) {
  registerRoute(
    ({ url, request, sameOrigin }) =>
      sameOrigin && !request.headers.has('range') && kindOf(url, isNavigation(request)) === kind,
    strategies[kind],
  );
}
setCatchHandler(async ({ request }) => {
  const page = isNavigation(request) ? await matchPrecache(OFFLINE_PAGE) : undefined;
  return page ?? Response.error();
});
self.addEventListener('message', onMessage);
