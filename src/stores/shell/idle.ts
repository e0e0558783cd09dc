import { savesData } from './connection.ts';
import { onceSeen } from './page-loaded.ts';

/**
 * Runs work that nobody waits for after the load, and once more each time the network is back (faults 18). It never runs
 * when data is to be saved (resolutions 22).
 */
export function whenIdle(work: () => unknown): void {
  const run = (): void => {
    if (navigator.onLine && !savesData()) work();
  };
  onceSeen(() => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(run, { timeout: 2_000 });
    else setTimeout(run, 200);
  });
  addEventListener('online', run);
}
