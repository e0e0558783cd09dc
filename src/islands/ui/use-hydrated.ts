import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** False in the built HTML and while it hydrates, true after: what only the browser knows may be drawn then. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
