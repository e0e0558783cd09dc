import { onEvents, onReturn, stopAll } from './events.ts';

/**
 * Storage that never throws. A value that localStorage refuses goes to sessionStorage or to memory.
 * `@nanostores/persistent` throws when the storage is full, loses the change of a tab whose event comes late, and after
 * Back overwrites what a newer version stored.
 */

type AreaName = 'localStorage' | 'sessionStorage';

/** Where a value was written: 'device' lasts, 'tab' ends with the tab and 'memory' with the page. */
export type Persistence = 'device' | 'tab' | 'memory';

const memory = new Map<string, string>();

function attempt<Value>(area: AreaName, use: (storage: Storage) => Value): Value | undefined {
  // At build, Node renders the islands. It also has these storages, which belong to no visitor.
  if (typeof window === 'undefined') return undefined;
  try {
    const storage = globalThis[area];
    return storage ? use(storage) : undefined;
  } catch {
    return undefined;
  }
}

const set = (area: AreaName, key: string, value: string): boolean =>
  attempt(area, (storage) => {
    storage.setItem(key, value);
    return true;
  }) ?? false;

/** A value outside localStorage is the newer one: it is there because localStorage refused it. */
export function readStored(key: string): string | null {
  const read = (storage: Storage): string | null => storage.getItem(key);
  return memory.get(key) ?? attempt('sessionStorage', read) ?? attempt('localStorage', read) ?? null;
}

export function writeStored(key: string, value: string): Persistence {
  if (set('localStorage', key, value)) {
    memory.delete(key);
    attempt('sessionStorage', (storage) => storage.removeItem(key));
    return 'device';
  }
  if (set('sessionStorage', key, value)) {
    memory.delete(key);
    return 'tab';
  }
  memory.set(key, value);
  return 'memory';
}

export function removeStored(key: string): void {
  memory.delete(key);
  attempt('localStorage', (storage) => storage.removeItem(key));
  attempt('sessionStorage', (storage) => storage.removeItem(key));
}

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
 * Calls `changed` when another tab has changed the key, and when this page returns from the back/forward cache, where
 * it receives no storage events. Returns a function that stops it.
 */
export const watchStored = (key: string, changed: () => void): (() => void) =>
  stopAll(
    onEvents(['storage'], (event) => {
      if (event.key === key || event.key === null) changed();
    }),
    onReturn(changed),
  );
