import { refetchScript } from '#api/script-status.ts';
import { OWN } from '#domain/json.ts';

const KEY = `${OWN}reloaded`;
const RELOAD_INTERVAL_MS = 600_000;

export const { classList } = document.documentElement;

/** Whether the visitor has typed or chosen something, which a reload may lose. */
export const isTyped = (): boolean => classList.contains('typed');

/**
 * Reloads the page. Returns false if the tab has reloaded recently or if nothing can be stored, because the tab could then
 * reload endlessly, and if a reload would lose what the visitor has typed.
 */
export function reloadOnce(): boolean {
  const now = Date.now();
  try {
    if (isTyped() || now - Number(sessionStorage.getItem(KEY)) < RELOAD_INTERVAL_MS) return false;
    sessionStorage.setItem(KEY, String(now));
  } catch {
    return false;
  }
  location.reload();
  return true;
}

function showReloadButton(address: string): void {
  const note = document.createElement('p');
  note.className = 'reload wrap';
  note.setAttribute('role', 'alert');
  const button = document.createElement('button');
  button.textContent = 'Reload';
  button.onclick = () => void refetchScript(address).finally(() => location.reload());
  note.append('A part of this page could not be loaded, or needs a newer browser. ', button);
  document.querySelector('main')?.prepend(note);
}

/**
 * Reloads a page once if one of its own scripts does not run, because it may be of an older release. If that did not help,
 * shows a Reload button. Imports the scripts to find out, which runs none twice: Firefox fires `error` for a preload of a
 * script that runs, and Safari 16 fires nothing. stale.ts does the same for scripts that are imported later.
 */
export function reloadForMissingScripts(): void {
  let handled = false;
  /** Firefox fails pending scripts when the visitor leaves the page. A reload would then cancel the navigation. */
  const leave = (): void => {
    handled = true;
  };
  const recover = (address: string): void => {
    if (handled) return;
    handled = true;
    // Without a network, a reload would show the browser's own error page.
    const reloadLater = (): void => addEventListener('online', () => isTyped() || location.reload());
    void refetchScript(address)
      .then(reloadOnce, reloadLater)
      .then((reloads) => reloads || showReloadButton(address));
  };
  addEventListener('input', () => classList.add('typed'), true);
  addEventListener('beforeunload', leave);
  // All scripts of the head have run or failed before this event.
  addEventListener('DOMContentLoaded', () => {
    // The scripts of the page's head, and those that its island needs (IslandScripts.astro).
    const own = document.querySelectorAll<HTMLScriptElement & HTMLLinkElement>(
      'script[src^="/_astro/"], [data-island]',
    );
    void Promise.all(
      [...own].map(({ src, href }) =>
        import(/* @vite-ignore */ src || href).catch(() => recover(src || href)),
      ),
      // Firefox may not store a page with this listener in its back/forward cache.
    ).then(() => removeEventListener('beforeunload', leave));
  });
}
