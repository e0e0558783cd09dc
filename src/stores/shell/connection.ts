import { readStored, removeStored, writeStored } from './storage.ts';

interface Connection {
  readonly saveData?: boolean;
  readonly effectiveType?: string;
}

const KEY = 'data-saver';
const SLOW = /2g|3g/;

/** Whether the visitor chose on this device to save data. */
export const choseSaving = (): boolean => readStored(KEY) === 'on';

/** Kept on this device; pages that are opened from now on heed it. */
export function chooseSaving(saving: boolean): void {
  if (saving) writeStored(KEY, 'on');
  else removeStored(KEY);
}

/**
 * Whether data is to be saved: chosen by hand, Save-Data, 2g or 3g. Pages then ask for nothing by themselves
 * (resolutions 22).
 */
export function savesData(): boolean {
  const { connection }: Navigator & { readonly connection?: Connection } = navigator;
  return choseSaving() || connection?.saveData === true || SLOW.test(connection?.effectiveType ?? '');
}
