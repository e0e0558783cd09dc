/** Storage that cannot throw: what a browser refuses is kept in the next best place (faults 23, 24). */

type AreaName = 'localStorage' | 'sessionStorage';

/** Where a value ended: kept for good, for this tab, or for this page only. */
export type Kept = 'kept' | 'tab' | 'memory';

const memory = new Map<string, string>();
const HELD_IN_MEMORY = 'memory';

/** Which keys were refused by localStorage, so that a stale value there is not read back. */
const displaced = new Map<string, AreaName | typeof HELD_IN_MEMORY>();

function attempt<Value>(area: AreaName, use: (storage: Storage) => Value): Value | undefined {
  try {
    const storage = globalThis[area];
    return storage ? use(storage) : undefined;
  } catch {
    return undefined;
  }
}

export function readStored(key: string): string | null {
  const place = displaced.get(key) ?? 'localStorage';
  if (place === HELD_IN_MEMORY) return memory.get(key) ?? null;
  return (
    attempt(place, (storage) => storage.getItem(key)) ??
    attempt('sessionStorage', (s) => s.getItem(key)) ??
    null
  );
}

export function writeStored(key: string, value: string): Kept {
  for (const area of ['localStorage', 'sessionStorage'] as const) {
    if (attempt(area, (storage) => (storage.setItem(key, value), true))) {
      displaced.delete(key);
      if (area === 'sessionStorage') displaced.set(key, area);
      else attempt('sessionStorage', (storage) => storage.removeItem(key));
      return area === 'localStorage' ? 'kept' : 'tab';
    }
  }
  displaced.set(key, HELD_IN_MEMORY);
  memory.set(key, value);
  return 'memory';
}

export function removeStored(key: string): void {
  displaced.delete(key);
  memory.delete(key);
  attempt('localStorage', (storage) => storage.removeItem(key));
  attempt('sessionStorage', (storage) => storage.removeItem(key));
}

/** Values that live as long as the tab: the remembered path, a notice that crosses a page change. */
export const tabStorage = {
  read: (key: string): string | null => attempt('sessionStorage', (storage) => storage.getItem(key)) ?? null,
  write: (key: string, value: string): void => {
    attempt('sessionStorage', (storage) => storage.setItem(key, value));
  },
  take(key: string): string | null {
    const value = tabStorage.read(key);
    attempt('sessionStorage', (storage) => storage.removeItem(key));
    return value;
  },
};

/**
 * Calls back when another tab changed the key, and when this page comes back from the back/forward cache, because a
 * frozen page misses storage events. Returns the way to stop.
 */
export function watchStored(key: string, changed: () => void): () => void {
  // At build, where islands are drawn once, there is nobody to listen to.
  if (typeof document === 'undefined') return () => {};
  const onStorage = (event: StorageEvent): void => {
    if (event.key === key || event.key === null) changed();
  };
  const onShow = (event: PageTransitionEvent): void => {
    if (event.persisted) changed();
  };
  addEventListener('storage', onStorage);
  addEventListener('pageshow', onShow);
  return () => {
    removeEventListener('storage', onStorage);
    removeEventListener('pageshow', onShow);
  };
}
