import { OWN } from '#domain/json.ts';
import type { StorageArea } from '#domain/stored-data.ts';
import { WORKER_PATH } from '#paths.ts';
import { readStored, removeStored } from '#stores/shell/storage.ts';

interface Area {
  isKept(key: string): Promise<boolean>;
  clear(key: string): Promise<void>;
}

const ownCaches = async (): Promise<string[]> => (await caches.keys()).filter((name) => name.startsWith(OWN));

const TEXTS: Area = {
  isKept: async (key) => ![null, '[]'].includes(readStored(key)),
  async clear(key) {
    removeStored(key);
    // Browsers send the storage event only to other tabs. This page's stores need it as well.
    dispatchEvent(new StorageEvent('storage'));
  },
};

const AREAS: Readonly<Record<string, Area>> = {
  device: TEXTS,
  tab: TEXTS,
  cookie: {
    isKept: async () => (await import('#api/token.ts')).readToken() !== undefined,
    clear: async () => (await import('#api/token.ts')).deleteToken(),
  },
  offline: {
    isKept: async () => (await ownCaches()).length > 0,
    async clear() {
      const registration = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
      const { scriptURL } = registration?.active ?? {};
      if (scriptURL === new URL(WORKER_PATH, location.href).href) await registration?.unregister();
      const { CacheExpiration } = await import('workbox-expiration');
      for (const name of await ownCaches()) {
        await caches.delete(name);
        // Their ages are in a database that all programs with Workbox share.
        await new CacheExpiration(name, { maxEntries: 1 }).delete();
      }
    },
  },
} satisfies Record<StorageArea, Area>;

/** Of a row of STORED_DATA. */
export interface StoredPlace {
  readonly where: string;
  readonly key: string;
}

/** Never rejects: browsers without https have no caches. */
export const isKept = async ({ where, key }: StoredPlace): Promise<boolean> =>
  (await AREAS[where]?.isKept(key).catch(() => false)) ?? false;

/** Deletes the data from this browser. Never rejects: data that could not be deleted stays listed. */
export const clearStored = async ({ where, key }: StoredPlace): Promise<void> =>
  AREAS[where]?.clear(key).catch(() => {});

/** Also deletes what an older version of the shop has stored. */
export async function clearEverything(places: readonly StoredPlace[]): Promise<void> {
  for (const place of places) await clearStored(place);
  try {
    for (const area of [localStorage, sessionStorage])
      for (const name of Object.keys(area)) if (name.startsWith(OWN)) area.removeItem(name);
  } catch {
    // Storage is blocked, so nothing was stored.
  }
}
