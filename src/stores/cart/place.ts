import { atom } from 'nanostores';
import { isPin, normalisePin } from '#domain/pin.ts';
import { readStored, removeStored, watchStored, writeStored } from '#stores/shell/storage.ts';

const KEY = 'place';

/** The PIN code that the visitor typed on a product's page, or ''. It leaves the device only as part of an order. */
export const $place = atom('');

const refresh = (): void => {
  const stored = readStored(KEY) ?? '';
  $place.set(isPin(stored) ? stored : '');
};

// nanostores' `onMount` would enlarge other pages' scripts.
refresh();
watchStored(KEY, refresh);

/** @param postalCode a PIN code as it was typed, or '' to forget it */
export function rememberPlace(postalCode: string): void {
  if (postalCode === '') removeStored(KEY);
  else writeStored(KEY, normalisePin(postalCode));
  refresh();
}
