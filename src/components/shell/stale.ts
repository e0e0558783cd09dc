import { isScriptMissing } from '#api/script-status.ts';
import { tabStorage } from '#stores/shell/storage.ts';
import { notify } from '#stores/shell/toasts.ts';

const KEY = 'reloaded';
const RELOAD_INTERVAL_MS = 600_000;

const reload = (): void => location.reload();

/**
 * Notes a reload; false if this tab has reloaded lately. False too if nothing can be stored: the tab could then reload
 * without end.
 */
function noteReload(): boolean {
  const now = Date.now();
  if (Math.abs(now - Number(tabStorage.read(KEY))) < RELOAD_INTERVAL_MS) return false;
  tabStorage.write(KEY, String(now));
  return tabStorage.read(KEY) === String(now);
}

/** The address of the script whose import failed. Safari does not name it. */
const addressOf = (error: unknown): string | undefined => /https?:\S+/.exec(String(error))?.[0];

/** The HTTP status of the script: 0 if no response arrived, undefined if the browser does not tell. */
function statusOf(address: string | undefined): number | undefined {
  const entry = address === undefined ? undefined : performance.getEntriesByName(address).at(-1);
  return entry instanceof PerformanceResourceTiming ? entry.responseStatus : undefined;
}

/**
 * Asks the server whether the script, or without an address any script of the page, is gone. It is needed because
 * Firefox and Safari do not say why an import failed. Mostly the page is being left, and then a reload would take the
 * visitor back to it.
 */
async function isStale(address: string | undefined): Promise<boolean> {
  const scripts = address
    ? [address]
    : performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .filter((name) => /\/_astro\/[^?]+\.js$/.test(name));
  return (await Promise.all([...new Set(scripts)].map(isScriptMissing))).includes(true);
}

const errorOf = (event: Event): unknown => ('payload' in event ? event.payload : undefined);

/**
 * Reloads the page if a script that it imports is of an older release and gone from the server, or shows a Reload
 * button if the tab was reloaded lately. If the network cannot reach a script, the importing code handles
 * it. missing-scripts.ts does the same for the scripts in the page's HTML.
 */
export function reloadStalePage(): void {
  const handledErrors = new Set<unknown>();
  const recover = (): void => {
    if (noteReload()) reload();
    else
      notify({
        title: 'This page is out of date',
        text: 'A part of this page could not be loaded.',
        tone: 'error',
        action: { label: 'Reload', run: reload },
      });
  };
  addEventListener('vite:preloadError', (event) => {
    const error = errorOf(event);
    const address = addressOf(error);
    const status = navigator.onLine ? statusOf(address) : 0;
    handledErrors.add(error);
    if (status && status >= 400) recover();
    else if (status !== 0) void isStale(address).then((gone) => gone && recover());
  });
  // Nobody waits for background work such as a refresh, so its failed import is no error.
  addEventListener('unhandledrejection', (event) => {
    if (handledErrors.has(event.reason)) event.preventDefault();
  });
}
