import { tabStorage } from '#stores/storage.ts';
import type { Notice } from '#stores/toasts.ts';

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

/** Whether the script was not answered at all, which says nothing of its age. */
function isUnreachable(error: unknown): boolean {
  if (!navigator.onLine) return true;
  const address = /https?:\S+/.exec(String(error))?.[0] ?? '';
  const asked = performance.getEntriesByName(address).at(-1);
  return asked instanceof PerformanceResourceTiming && asked.responseStatus === 0;
}

const errorOf = (event: Event): unknown => ('payload' in event ? event.payload : undefined);

/**
 * A script of an older release is gone: one reload by itself, then a button (faults 89). One that is out of reach is
 * left to whoever asked for it. A page's own scripts are chunk-guard.ts's.
 */
export function mendStalePage(notify: (notice: Notice) => void): void {
  const outOfReach = new Set<unknown>();
  const offerReload = (title: string): void =>
    notify({
      title,
      text: 'A part of this page could not be loaded.',
      tone: 'error',
      action: { label: 'Reload', run: reload },
    });
  const mend = (event: Event): void => {
    event.preventDefault();
    if (mayReload()) reload();
    else offerReload('This page is out of date');
  };
  addEventListener('vite:preloadError', (event) => {
    const error = errorOf(event);
    if (isUnreachable(error)) outOfReach.add(error);
    else mend(event);
  });
  // Work that nobody waits for, such as a quiet refresh, is simply not done.
  addEventListener('unhandledrejection', (event) => {
    if (outOfReach.has(event.reason)) event.preventDefault();
  });
}
