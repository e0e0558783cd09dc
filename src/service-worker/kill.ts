import type { WorkerScope } from './scope.ts';

declare const self: WorkerScope;

/** Takes the place of /sw.js when the worker is to go: forgets all that was kept, and itself (faults 90). */
async function end(): Promise<void> {
  for (const name of await caches.keys()) await caches.delete(name);
  await self.registration.unregister();
}

self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener('activate', (event) => event.waitUntil(end()));
