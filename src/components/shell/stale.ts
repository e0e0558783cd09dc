import { isScriptGone } from '#api/script-status.ts';
import { tabStorage } from '#stores/shell/storage.ts';
import { notify } from '#stores/shell/toasts.ts';

const KEY = 'reloaded';
const AGAIN_AFTER_MS = 600_000;

const reload = (): void => location.reload();

/** Whether this tab has not reloaded lately; where nothing can be noted it never does, for it could not stop. */
function mayReload(): boolean {
  const now = Date.now();
  if (Math.abs(now - Number(tabStorage.read(KEY))) < AGAIN_AFTER_MS) return false;
  tabStorage.write(KEY, String(now));
  return tabStorage.read(KEY) === String(now);
}

/** The script an import failed for; Safari names none. */
const addressOf = (error: unknown): string | undefined => /https?:\S+/.exec(String(error))?.[0];

/** What the server said to the script: 0 where it was not answered at all, undefined where the browser does not tell. */
function statusOf(address: string | undefined): number | undefined {
  const asked = address === undefined ? undefined : performance.getEntriesByName(address).at(-1);
  return asked instanceof PerformanceResourceTiming ? asked.responseStatus : undefined;
}

/**
 * Whether a script of the page is gone from the server. Asked where the browser does not say why an import failed: in
 * Firefox and Safari most often because the page is being left, and a reload would take the visitor back to it.
 */
async function isStale(address: string | undefined): Promise<boolean> {
  const scripts = address
    ? [address]
    : performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .filter((name) => /\/_astro\/[^?]+\.js$/.test(name));
  return (await Promise.all([...new Set(scripts)].map(isScriptGone))).includes(true);
}

const errorOf = (event: Event): unknown => ('payload' in event ? event.payload : undefined);

/**
 * A script of an older release is gone: one reload by itself, then a button (faults 89). One that is out of reach is
 * left to whoever asked for it. A page's own scripts are missing-scripts.ts's.
 */
export function mendStalePage(): void {
  const answered = new Set<unknown>();
  const offerReload = (title: string): void =>
    notify({
      title,
      text: 'A part of this page could not be loaded.',
      tone: 'error',
      action: { label: 'Reload', run: reload },
    });
  const mend = (): void => {
    if (mayReload()) reload();
    else offerReload('This page is out of date');
  };
  addEventListener('vite:preloadError', (event) => {
    const error = errorOf(event);
    const address = addressOf(error);
    const status = navigator.onLine ? statusOf(address) : 0;
    answered.add(error);
    if (status && status >= 400) mend();
    else if (status !== 0) void isStale(address).then((gone) => gone && mend());
  });
  // Work that nobody waits for, such as a quiet refresh, is simply not done.
  addEventListener('unhandledrejection', (event) => {
    if (answered.has(event.reason)) event.preventDefault();
  });
}
