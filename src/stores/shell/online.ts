import { atom, onMount } from 'nanostores';
import { onEvents } from './events.ts';

/** A hint: browsers report no network behind some VPNs and virtual networks. Pre-rendered pages assume one. */
export const $online = atom(true);

onMount($online, () => {
  if (typeof document === 'undefined') return;
  const read = (): void => $online.set(navigator.onLine);
  read();
  return onEvents(['online', 'offline'], read);
});
