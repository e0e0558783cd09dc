import { savesData } from './connection.ts';
import { whenShown } from './page-load.ts';

/**
 * Runs background work when the browser is idle after the load, and again each time the network is back. It does not
 * run while data is saved.
 */
export function whenIdle(work: () => unknown): void {
  const run = (): void => {
    if (navigator.onLine && !savesData()) work();
  };
  whenShown(() => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(run, { timeout: 2_000 });
    else setTimeout(run, 200);
  });
  addEventListener('online', run);
}
