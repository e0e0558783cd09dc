import { type Fields, fieldsOf } from '#domain/json.ts';
import { tabStorage } from './storage.ts';

/* The address of this page, and the state of its history entry. Not in navigation.ts, which every page loads. */

const REMEMBERED_KEY = 'from';

export const rememberPath = (path: string): void => tabStorage.write(REMEMBERED_KEY, path);

/** Returns the remembered path and removes it. It must be checked (domain/redirect.ts) before it is opened. */
export const takeRememberedPath = (): string | null => tabStorage.take(REMEMBERED_KEY);

export const currentPath = (): string => location.pathname.replace(/\.html$/, '') + location.search;

/** Removes what a sentence or a chat appends to an address, such as ❤️. A value may end with a sign of base64url. */
export const withoutTail = (value: string): string => /^.*[\p{L}\p{N}_=-]\p{M}*/su.exec(value)?.[0] ?? '';

/**
 * Returns the first value of the address that is not empty. Payment gateways append their own values with a second `?`,
 * with `;`, with `&amp;`, or after a hash.
 */
export function queryParam(name: string): string | undefined {
  const query = (location.search + location.hash).replace(/&amp;|[?;#]/g, '&');
  return new URLSearchParams(query).getAll(name).map(withoutTail).find(Boolean);
}

/** A browser may refuse it, as Safari does after 100 calls in 30 s. The page then keeps its old address. */
export function replaceAddress(address: string, state: unknown = history.state): void {
  try {
    history.replaceState(state, '', address);
  } catch {}
}

/** The scroll positions of the page and its gallery, in px, and the number of list items shown. */
type Place = 'place' | 'shown' | 'picture';

/** The state of the current history entry, for Back and a reload without the back/forward cache. */
export const keptInHistory = (): Fields<Place | 'secret'> => fieldsOf(history.state);

export const keepInHistory = (kept: Readonly<Partial<Record<Place, number>>>): void =>
  replaceAddress(location.href, { ...keptInHistory(), ...kept });

export const clearAddress = (): void => replaceAddress(location.pathname);
