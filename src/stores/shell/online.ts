import { atom, onMount } from 'nanostores';
import { onEvents } from './events.ts';

/** Only a hint: behind some VPNs, browsers report that they are offline. Pre-rendered pages assume a network. */
export const $online = atom(true);

onMount($online, () => {
  if (typeof document === 'undefined') return;
  const read = (): void => $online.set(navigator.onLine);
  read();
  return onEvents(['online', 'offline'], read);
});
