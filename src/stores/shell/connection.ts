import { whenShown } from './page-load.ts';
import { readStored, removeStored, writeStored } from './storage.ts';

interface Connection {
  readonly saveData?: boolean;
  readonly effectiveType?: string;
}

const KEY = 'data-saver';
const SLOW = /2g|3g/;

export const isDataSaverOn = (): boolean => readStored(KEY) === 'on';

/** The choice applies to pages that are opened from now on. */
export function setDataSaver(saving: boolean): void {
  if (saving) writeStored(KEY, 'on');
  else removeStored(KEY);
}

/**
 * Whether the visitor chose to save data, or the browser reports Save-Data, 2g or 3g. Pages then send no background
 * requests.
 */
export function savesData(): boolean {
  const { connection }: Navigator & { readonly connection?: Connection } = navigator;
  return isDataSaverOn() || connection?.saveData === true || SLOW.test(connection?.effectiveType ?? '');
}

/**
 * Runs background work when the browser is idle after the load, and again each time the network is back. It does not
 * run with the data saver.
 */
export function whenIdle(work: () => unknown): void {
  const run = (): void => {
    if (!savesData()) work();
  };
  whenShown(() => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(run, { timeout: 2_000 });
    else setTimeout(run, 200);
  });
  addEventListener('online', run);
}
