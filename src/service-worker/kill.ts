import type { WorkerScope } from './scope.ts';

declare const self: WorkerScope;

/**
 * Replaces /sw.js when the shop should have no service worker any more. It deletes all caches and unregisters
 * itself. An old page may register it again, which does no harm, because it has no fetch handler.
 */
async function removeWorker(): Promise<void> {
  await self.registration.unregister();
  for (const name of await caches.keys()) await caches.delete(name);
}

self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener('activate', (event) => event.waitUntil(removeWorker()));
self.addEventListener('message', (event) => event.waitUntil(removeWorker()));
