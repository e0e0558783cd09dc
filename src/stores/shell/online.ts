import { atom, onMount } from 'nanostores';
import { onEvents } from './events.ts';

/** Whether the browser reports a network connection. Pre-rendered pages assume one. */
export const $online = atom(true);

onMount($online, () => {
  if (typeof document === 'undefined') return;
  const read = (): void => $online.set(navigator.onLine);
  read();
  return onEvents(['online', 'offline'], read);
});
