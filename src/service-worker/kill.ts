import type { WorkerScope } from './scope.ts';

declare const self: WorkerScope;

/**
 * Takes the place of /sw.js when the worker is to go: forgets all that was kept, and itself (faults 90). A page of
 * before may register it once more; without a fetch handler it is then in nobody's way.
 */
async function end(): Promise<void> {
  await self.registration.unregister();
  for (const name of await caches.keys()) await caches.delete(name);
}

self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener('activate', (event) => event.waitUntil(end()));
self.addEventListener('message', (event) => event.waitUntil(end()));
