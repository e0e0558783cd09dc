import { hasToken } from '#api/token-cookie.ts';
import { STORED_DATA, type StorageArea } from '#domain/stored-data.ts';
import { keysOf, readFrom, removeStored } from '#stores/shell/storage.ts';

/** Where Workbox notes how old a kept page is. */
const WORKER_DATABASE = 'workbox-expiration';

type Place = Pick<(typeof STORED_DATA)[number], 'key' | 'where'>;

const bytesOf = (text: string): number => new Blob([text]).size;

/** Bytes of what the browser keeps offline; of all, where it does not say more. */
async function offlineBytes(): Promise<number | undefined> {
  if (!('caches' in globalThis) || (await caches.keys()).length === 0) return undefined;
  const { usage = 0 } = (await navigator.storage?.estimate?.()) ?? {};
  return usage;
}

const AREAS = { device: 'localStorage', tab: 'sessionStorage' } as const;

const textIn = (where: 'device' | 'tab', key: string): string | null =>
  readFrom(AREAS[where], key) ?? (where === 'device' ? readFrom('sessionStorage', key) : null);

const SIZES: { readonly [Where in StorageArea]: (key: string) => Promise<number | undefined> } = {
  device: async (key) => sizeOf(key, textIn('device', key)),
  tab: async (key) => sizeOf(key, textIn('tab', key)),
  cookie: async () => (hasToken() ? bytesOf(document.cookie) : undefined),
  offline: offlineBytes,
};

/** A list that was emptied: the place is there, and nothing in it. */
const EMPTY_LIST = '[]';

/** With its key, which alone says something where the value is empty. */
const sizeOf = (key: string, text: string | null): number | undefined =>
  text === null || text === EMPTY_LIST ? undefined : bytesOf(key + text);

/** Bytes; nothing where nothing is kept. Never rejects. */
export const storedBytes = ({ where, key }: Place): Promise<number | undefined> =>
  SIZES[where](key).catch(() => undefined);

async function forgetOffline(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  await registration?.unregister();
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
  indexedDB.deleteDatabase(WORKER_DATABASE);
}

/** The stores of this page hear of it as if another tab had done it. */
function forgetText(key: string): void {
  removeStored(key);
  dispatchEvent(new StorageEvent('storage', { key }));
}

const FORGET: { readonly [Where in StorageArea]: (key: string) => Promise<void> } = {
  device: async (key) => forgetText(key),
  tab: async (key) => forgetText(key),
  cookie: async () => (await import('#api/token.ts')).deleteToken(),
  offline: forgetOffline,
};

/** Deletes it from this browser. Never rejects: what cannot be deleted is still shown. */
export const forget = ({ where, key }: Place): Promise<void> => FORGET[where](key).catch(() => {});

/** Keys of this address that the shop does not know any more: left by an older version. */
export function unknownKeys(): Place[] {
  const known = new Set(STORED_DATA.map(({ key }) => key));
  return (['device', 'tab'] as const).flatMap((where) =>
    keysOf(AREAS[where])
      .filter((key) => !known.has(key))
      .map((key) => ({ where, key })),
  );
}
