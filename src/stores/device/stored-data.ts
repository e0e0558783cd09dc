import { STORED_DATA, type StorageArea, type StoredData } from '#domain/stored-data.ts';
import { readStored, removeStored } from '#stores/shell/storage.ts';

/** The IndexedDB database in which Workbox stores the age of cached pages. */
const WORKER_DATABASE = 'workbox-expiration';

interface Area {
  isKept(key: string): Promise<boolean>;
  clear(key: string): Promise<void>;
}

const TEXTS: Area = {
  isKept: async (key) => ![null, '[]'].includes(readStored(key)),
  async clear(key) {
    removeStored(key);
    // Browsers send the storage event only to other tabs. This page's stores need it as well.
    dispatchEvent(new StorageEvent('storage', { key }));
  },
};

const AREAS: Readonly<Record<StorageArea, Area>> = {
  device: TEXTS,
  tab: TEXTS,
  cookie: {
    isKept: async () => (await import('#api/token.ts')).readToken() !== undefined,
    clear: async () => (await import('#api/token.ts')).deleteToken(),
  },
  offline: {
    isKept: async () => (await caches.keys()).length > 0,
    async clear() {
      const registration = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
      await registration?.unregister();
      await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
      indexedDB.deleteDatabase(WORKER_DATABASE);
    },
  },
};

/** Never rejects: browsers without https have no caches. */
export const isKept = ({ where, key }: StoredData): Promise<boolean> =>
  AREAS[where].isKept(key).catch(() => false);

/** Deletes the data from this browser. Never rejects: data that could not be deleted stays listed. */
export const clearStored = ({ where, key }: StoredData): Promise<void> =>
  AREAS[where].clear(key).catch(() => {});

/** Also deletes what an older version of the shop has stored. */
export async function clearEverything(): Promise<void> {
  for (const data of STORED_DATA) await clearStored(data);
  try {
    localStorage.clear();
    sessionStorage.clear();
  } catch {
    // Storage is blocked, so nothing was stored.
  }
}
