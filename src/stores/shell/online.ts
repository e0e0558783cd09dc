import { atom, onMount } from 'nanostores';

/** Whether the browser believes it has a network; what pre-rendered pages assume. */
export const $online = atom(true);

onMount($online, () => {
  if (typeof document === 'undefined') return;
  const read = (): void => $online.set(navigator.onLine);
  read();
  addEventListener('online', read);
  addEventListener('offline', read);
  return () => {
    removeEventListener('online', read);
    removeEventListener('offline', read);
  };
});
