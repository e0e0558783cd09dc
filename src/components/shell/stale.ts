import { isScriptMissing } from '#api/script-status.ts';
import { notify } from '#stores/shell/toasts.ts';
import { reloadOnce } from './missing-scripts.ts';

/** Returns the script whose import failed. Safari does not name it. */
const addressOf = (error: unknown): string | undefined => /https?:\S+/.exec(String(error))?.[0];

/**
 * Checks whether the server no longer has the script or, without an address, any script of the page. Firefox and Safari do
 * not say why an import failed. Mostly the visitor is leaving the page, and a reload would cancel the navigation.
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

/**
 * Reloads the page if the server no longer has a script that it imports. Shows a Reload button if the tab was reloaded
 * recently, or the visitor has typed something. Network errors are left to the importing code. missing-scripts.ts handles the
 * scripts in the page's HTML.
 */
export function reloadStalePage(): void {
  const handledErrors = new Set<unknown>();
  const recover = (): void => {
    if (reloadOnce()) return;
    notify({
      title: 'This page is out of date',
      text: 'A part of this page could not be loaded.',
      tone: 'error',
      action: { label: 'Reload', run: () => location.reload() },
    });
  };
  addEventListener('vite:preloadError', (event) => {
    const error = 'payload' in event ? event.payload : undefined;
    handledErrors.add(error);
    void isStale(addressOf(error)).then((stale) => stale && recover());
  });
  // A failed import of background work, such as a refresh, is not an error.
  addEventListener('unhandledrejection', (event) => {
    if (handledErrors.has(event.reason)) event.preventDefault();
  });
}
