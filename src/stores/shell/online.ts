import { atom, onMount } from 'nanostores';

/** Whether the browser reports a network connection. Pre-rendered pages assume one. */
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
