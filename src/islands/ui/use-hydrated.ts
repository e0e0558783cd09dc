import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** False at build and during hydration, true after it, when data of the browser may be rendered. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
