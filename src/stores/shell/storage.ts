import { CART_KEY } from '#domain/cart.ts';
import { OWN } from '#domain/json.ts';
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

/** Only the cart has the name of the specification, and only in localStorage. */
const nameIn = (area: AreaName, key: string): string =>
  area === 'localStorage' && key === CART_KEY ? key : OWN + key;

function attempt<Value>(
  area: AreaName,
  key: string,
  use: (storage: Storage, name: string) => Value,
): Value | undefined {
  // At build, Node renders the islands. It also has these storages, which belong to no visitor.
  if (typeof window === 'undefined') return undefined;
  try {
    const storage = globalThis[area];
    return storage ? use(storage, nameIn(area, key)) : undefined;
  } catch {
    return undefined;
  }
}

const get = (area: AreaName, key: string): string | null =>
  attempt(area, key, (storage, name) => storage.getItem(name)) ?? null;

const set = (area: AreaName, key: string, value: string): boolean =>
  attempt(area, key, (storage, name) => {
    storage.setItem(name, value);
    return true;
  }) ?? false;

const remove = (area: AreaName, key: string): void =>
  attempt(area, key, (storage, name) => storage.removeItem(name));

/** A value outside localStorage is the newer one, because it was stored there when localStorage refused it. */
export const readStored = (key: string): string | null =>
  memory.get(key) ?? get('sessionStorage', key) ?? get('localStorage', key);

export function writeStored(key: string, value: string): Persistence {
  if (set('localStorage', key, value)) {
    memory.delete(key);
    remove('sessionStorage', key);
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
  remove('localStorage', key);
  remove('sessionStorage', key);
}

export const tabStorage = {
  read: (key: string): string | null => get('sessionStorage', key),
  write: (key: string, value: string): void => void set('sessionStorage', key, value),
  take(key: string): string | null {
    const value = tabStorage.read(key);
    remove('sessionStorage', key);
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
      if (event.key === nameIn('localStorage', key) || event.key === null) changed();
    }),
    onReturn(changed),
  );
