import { clientsClaim } from 'workbox-core';
import { enable as enableNavigationPreload } from 'workbox-navigation-preload';
import { matchPrecache, precacheAndRoute } from 'workbox-precaching';
import { registerRoute, setCatchHandler } from 'workbox-routing';
import { createStrategies } from './caches.ts';
import { type Kind, kindOf } from './rules.ts';
import type { MessageToWorker, WorkerBuild, WorkerScope } from './scope.ts';

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

/** Fetches and caches the addresses of this shop. Pages come last, so that a cached page has all that it needs. */
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
  if ('keep' in data) event.waitUntil(cacheAll(stringsIn(data.keep), event));
  if ('warm' in data) event.waitUntil(cacheAll(steps[String(data.warm)] ?? [], event));
}

void self.skipWaiting();
clientsClaim();
enableNavigationPreload();
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
