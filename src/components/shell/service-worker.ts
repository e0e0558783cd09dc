import { paths } from '#paths.ts';
import { savesData } from '#stores/shell/connection.ts';
import { whenShown } from '#stores/shell/page-loaded.ts';
import { tabStorage } from '#stores/shell/storage.ts';
import { trustedCode, WORKER } from './trusted-code.ts';

/** What a later visit needs must not compete with what this one looks at (bar). */
const AFTER_LOAD_MS = 3_000;
const WARMED_KEY = 'warmed';

/** What comes after a page; from every other one the cart is the next step. */
const NEXT_STEP: Readonly<Record<string, string>> = {
  [paths.cart]: 'checkout',
  [paths.checkout]: 'payment',
};

/** The first page came before the worker: it asks it to keep what it has shown. */
const keepThisPage = (worker: ServiceWorker): void =>
  worker.postMessage({
    keep: [location.href, ...performance.getEntriesByType('resource').map(({ name }) => name)],
  });

/** Has the next step's page and scripts fetched, once a tab; never where data is to be saved. */
function warmNextStep(worker: ServiceWorker): void {
  const step = NEXT_STEP[location.pathname.replace(/\.html$/, '')] ?? 'cart';
  const warmed = (tabStorage.read(WARMED_KEY) ?? '').split(' ');
  if (savesData() || warmed.includes(step)) return;
  tabStorage.write(WARMED_KEY, [...warmed, step].join(' '));
  worker.postMessage({ warm: step });
}

async function register(): Promise<void> {
  const { serviceWorker } = navigator;
  const isFirst = serviceWorker.controller === null;
  try {
    await serviceWorker.register(trustedCode().createScriptURL(WORKER));
    const { active } = await serviceWorker.ready;
    if (!active) return;
    if (isFirst) keepThisPage(active);
    warmNextStep(active);
  } catch {
    // Private windows and full disks refuse; the next visit tries again.
  }
}

const remove = (): Promise<boolean | undefined> =>
  navigator.serviceWorker.getRegistration().then((registration) => registration?.unregister());

/**
 * Registers the worker that keeps the shop usable without a signal; a shop that is built without one removes what is
 * there. A browser that refuses has the shop as it was.
 */
export function keepWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const act = import.meta.env.PUBLIC_SERVICE_WORKER === 'off' ? remove : register;
  whenShown(() => setTimeout(() => void act(), AFTER_LOAD_MS));
}
