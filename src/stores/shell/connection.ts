import { readStored, removeStored, writeStored } from './storage.ts';

interface Connection {
  readonly saveData?: boolean;
  readonly effectiveType?: string;
}

const KEY = 'data-saver';
const SLOW = /2g|3g/;

/** Whether the visitor chose on this device to save data. */
export const isDataSaverOn = (): boolean => readStored(KEY) === 'on';

/** Saves the choice on this device. It applies to pages that are opened from now on. */
export function setDataSaver(saving: boolean): void {
  if (saving) writeStored(KEY, 'on');
  else removeStored(KEY);
}

/**
 * Whether to save data: the visitor chose to, or the browser reports Save-Data, 2g or 3g. Pages then send no requests
 * that the visitor did not cause.
 */
export function savesData(): boolean {
  const { connection }: Navigator & { readonly connection?: Connection } = navigator;
  return isDataSaverOn() || connection?.saveData === true || SLOW.test(connection?.effectiveType ?? '');
}
