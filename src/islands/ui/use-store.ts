import type { ReadableAtom } from 'nanostores';
import { useSyncExternalStore } from 'react';

/**
 * The store's value; in the built HTML and while it hydrates, what `ssr` gives. The part of @nanostores/react that
 * islands need: its key listening would cost each of their pages half a kilobyte.
 */
export function useStore<Value>(
  store: ReadableAtom<Value>,
  { ssr = store.get }: { ssr?(): Value } = {},
): Value {
  return useSyncExternalStore(store.listen, store.get, ssr);
}
