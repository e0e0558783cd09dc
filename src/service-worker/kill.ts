import { OWN } from '#domain/json.ts';
import type { WorkerScope } from './scope.ts';

declare const self: WorkerScope;

/**
 * Replaces /sw.js if the shop should no longer have a service worker. Deletes its caches and unregisters itself. An old
 * page may register it again, which is harmless, because it has no fetch handler.
 */
async function removeWorker(): Promise<void> {
  await self.registration.unregister();
  for (const name of await caches.keys()) if (name.startsWith(OWN)) await caches.delete(name);
}

self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener('activate', (event) => event.waitUntil(removeWorker()));
self.addEventListener('message', (event) => event.waitUntil(removeWorker()));
