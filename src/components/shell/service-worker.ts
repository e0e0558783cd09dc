import { paths, WORKER_PATH } from '#paths.ts';
import { savesData } from '#stores/shell/connection.ts';
import { whenShown } from '#stores/shell/page-load.ts';
import { tabStorage } from '#stores/shell/storage.ts';
import { trustedCode } from './trusted-code.ts';

/** Files for later must not compete with the current page. */
const AFTER_LOAD_MS = 3_000;
const WARMED_KEY = 'warmed';

/** The step after each page. After all other pages it is the cart. */
const NEXT_STEP: Readonly<Record<string, string>> = {
  [paths.cart]: 'checkout',
  [paths.checkout]: 'payment',
};

/** Whether the worker has answered this page: it may have taken control only later. */
const cameFromWorker = (): boolean =>
  performance
    .getEntriesByType('navigation')
    .some((entry) => entry instanceof PerformanceNavigationTiming && entry.workerStart > 0);

/** A page that loaded without the worker asks the worker to cache its files. */
const cacheThisPage = (worker: ServiceWorker): void =>
  worker.postMessage({
    cache: [location.href, ...performance.getEntriesByType('resource').map(({ name }) => name)],
  });

/** Lets the worker prefetch the next step, once per tab, and never with data saver. */
function warmNextStep(worker: ServiceWorker): void {
  const step = NEXT_STEP[location.pathname.replace(/\.html$/, '')] ?? 'cart';
  const warmed = (tabStorage.read(WARMED_KEY) ?? '').split(' ');
  if (savesData() || warmed.includes(step)) return;
  tabStorage.write(WARMED_KEY, [...warmed, step].join(' '));
  worker.postMessage({ warm: step });
}

async function register(): Promise<void> {
  const { serviceWorker } = navigator;
  try {
    await serviceWorker.register(trustedCode().createScriptURL(WORKER_PATH));
    const { active } = await serviceWorker.ready;
    if (!active) return;
    if (!cameFromWorker()) cacheThisPage(active);
    warmNextStep(active);
  } catch {
    // Browsers refuse in private windows and on full disks. The next visit tries again.
  }
}

/** Registers the service worker. Where it is switched off, that of an earlier release updates itself to kill.ts. */
export function updateServiceWorker(): void {
  const isOff = !import.meta.env.PROD || import.meta.env.PUBLIC_SERVICE_WORKER === 'off';
  if (isOff || !('serviceWorker' in navigator)) return;
  whenShown(() => setTimeout(() => void register(), AFTER_LOAD_MS));
}
