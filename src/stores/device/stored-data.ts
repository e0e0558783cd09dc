import { STORED_DATA, type StorageArea } from '#domain/stored-data.ts';
import { keysOf, readFrom, removeStored } from '#stores/shell/storage.ts';

/** The IndexedDB database in which Workbox stores the age of cached pages. */
const WORKER_DATABASE = 'workbox-expiration';

type Place = Pick<(typeof STORED_DATA)[number], 'key' | 'where'>;

const bytesOf = (text: string): number => new Blob([text]).size;

/** The bytes of all data of the site, because browsers do not report the caches alone. */
async function offlineBytes(): Promise<number | undefined> {
  if (!('caches' in globalThis) || (await caches.keys()).length === 0) return undefined;
  const { usage = 0 } = (await navigator.storage?.estimate?.().catch(() => undefined)) ?? {};
  return usage;
}

const AREAS = { device: 'localStorage', tab: 'sessionStorage' } as const;

const textIn = (where: 'device' | 'tab', key: string): string | null =>
  readFrom(AREAS[where], key) ?? (where === 'device' ? readFrom('sessionStorage', key) : null);

const SIZES: { readonly [Where in StorageArea]: (key: string) => Promise<number | undefined> } = {
  device: async (key) => sizeOf(key, textIn('device', key)),
  tab: async (key) => sizeOf(key, textIn('tab', key)),
  cookie: async (key) => sizeOf(key, (await import('#api/token.ts')).readToken() ?? null),
  offline: offlineBytes,
};

const EMPTY_LIST = '[]';

const sizeOf = (key: string, text: string | null): number | undefined =>
  text === null || text === EMPTY_LIST ? undefined : bytesOf(key + text);

/** Returns undefined if nothing is stored. Units: bytes. Never rejects. */
export const storedBytes = ({ where, key }: Place): Promise<number | undefined> =>
  SIZES[where](key).catch(() => undefined);

async function clearOffline(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
  await registration?.unregister();
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
  indexedDB.deleteDatabase(WORKER_DATABASE);
}

/** Browsers send the storage event only to other tabs. This page's stores need it as well. */
function clearText(key: string): void {
  removeStored(key);
  dispatchEvent(new StorageEvent('storage', { key }));
}

const CLEAR: { readonly [Where in StorageArea]: (key: string) => Promise<void> } = {
  device: async (key) => clearText(key),
  tab: async (key) => clearText(key),
  cookie: async () => (await import('#api/token.ts')).deleteToken(),
  offline: clearOffline,
};

/** Deletes the data from this browser. Never rejects: data that could not be deleted stays listed. */
export const clearStored = ({ where, key }: Place): Promise<void> => CLEAR[where](key).catch(() => {});

/** Storage keys of this site that this version does not use. */
export function unknownKeys(): Place[] {
  const known = new Set(STORED_DATA.map(({ key }) => key));
  return (['device', 'tab'] as const).flatMap((where) =>
    keysOf(AREAS[where])
      .filter((key) => !known.has(key))
      .map((key) => ({ where, key })),
  );
}
