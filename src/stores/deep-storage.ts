/*
 * IndexedDB in the place of localStorage, for a browser that refuses localStorage and sessionStorage (faults 23). Loaded
 * by such browsers alone. Whoever asks `localStorage` from then on, in whatever script, asks this.
 */

const STORE = 'values';
const CART = 'cart';

const settled = <Value>(request: IDBRequest<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open('storage', 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return settled(request);
}

async function readAll(database: IDBDatabase): Promise<Map<string, string>> {
  const store = database.transaction(STORE).objectStore(STORE);
  const [keys, values] = await Promise.all([settled(store.getAllKeys()), settled(store.getAll())]);
  return new Map(keys.map((key, index) => [String(key), String(values[index])]));
}

/** Committed at once: the page may be left in the next moment. */
function writeOne(database: IDBDatabase, key: string, value: string | undefined): void {
  const transaction = database.transaction(STORE, 'readwrite');
  if (value === undefined) transaction.objectStore(STORE).delete(key);
  else transaction.objectStore(STORE).put(value, key);
  transaction.commit();
}

function linesOf(stored: string | undefined): unknown[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** Tells this page's stores as another tab would. */
const tell = (key: string | null): boolean => dispatchEvent(new StorageEvent('storage', { key }));

/**
 * Reads what earlier pages kept and takes the place of localStorage; other tabs are told of each change. Nothing
 * changes where IndexedDB is refused as well.
 */
export async function installDeepStorage(): Promise<void> {
  let database: IDBDatabase;
  let values: Map<string, string>;
  try {
    database = await open();
    values = await readAll(database);
  } catch {
    return;
  }
  const tabs = new BroadcastChannel('storage');
  /** Keys whose earlier value this page has seen. What was put in the cart before that is added to it, not put in its place. */
  const seen = new Set<string>();

  const put = (key: string, value: string | undefined): void => {
    writeOne(database, key, value);
    if (value === undefined) values.delete(key);
    else values.set(key, value);
    tabs.postMessage([key, value]);
  };
  const storage: Storage = {
    get length() {
      return values.size;
    },
    key: (index) => [...values.keys()][index] ?? null,
    getItem: (key) => {
      seen.add(key);
      return values.get(key) ?? null;
    },
    setItem: (key, value) => {
      const earlier = key === CART && !seen.has(key) ? linesOf(values.get(key)) : [];
      seen.add(key);
      put(key, earlier.length > 0 ? JSON.stringify([...earlier, ...linesOf(value)]) : value);
      if (earlier.length > 0) queueMicrotask(() => tell(key));
    },
    removeItem: (key) => put(key, undefined),
    clear: () => {
      for (const key of [...values.keys()]) put(key, undefined);
    },
  };
  tabs.onmessage = ({ data }: MessageEvent<[string, string | undefined]>) => {
    const [key, value] = data;
    if (value === undefined) values.delete(key);
    else values.set(key, value);
    tell(key);
  };
  addEventListener('pageshow', async ({ persisted }) => {
    if (!persisted) return;
    values = await readAll(database);
    tell(null);
  });
  Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true });
  tell(null);
}
