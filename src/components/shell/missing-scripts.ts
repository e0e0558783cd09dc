const KEY = 'page-reloaded';

/** Records the failure. Returns false if the page failed before the reload too, or if nothing can be stored. */
function noteFirstFailure(): boolean {
  try {
    if (sessionStorage.getItem(KEY) === location.pathname) return false;
    sessionStorage.setItem(KEY, location.pathname);
    return true;
  } catch {
    return false;
  }
}

/** A script of the page's head, or one that an island needs (IslandScripts.astro). */
const isOwnScript = (target: EventTarget | null): boolean =>
  target instanceof HTMLScriptElement || (target instanceof HTMLLinkElement && 'island' in target.dataset);

function showReloadButton(): void {
  const note = document.createElement('p');
  note.className = 'reload wrap';
  note.setAttribute('role', 'alert');
  const button = document.createElement('button');
  button.textContent = 'Reload';
  button.onclick = () => location.reload();
  note.append('A part of this page could not be loaded. ', button);
  document.querySelector('main')?.prepend(note);
}

/**
 * Reloads a page once if one of its own scripts cannot be loaded, because it may be of an older release. If that fails
 * again, or the browser reports no network, shows a Reload button. stale.ts does the same for scripts imported later.
 */
export function reloadForMissingScripts(): void {
  let failed = false;
  let leaving = false;
  /** Firefox fails pending scripts when the visitor leaves the page. A reload would then cancel the navigation. */
  const leave = (): void => {
    leaving = true;
  };
  addEventListener('beforeunload', leave);
  addEventListener(
    'error',
    ({ target }) => {
      if (failed || leaving || !isOwnScript(target)) return;
      failed = true;
      // Without a network, a reload would show the browser's own error page.
      addEventListener('online', () => location.reload());
      if (navigator.onLine && noteFirstFailure()) location.reload();
      else if (document.readyState === 'loading') addEventListener('DOMContentLoaded', showReloadButton);
      else showReloadButton();
    },
    true,
  );
  addEventListener('load', () => {
    // Firefox may not store a page with this listener in its back/forward cache.
    removeEventListener('beforeunload', leave);
    try {
      if (!failed) sessionStorage.removeItem(KEY);
    } catch {
      // Storage is blocked, so nothing was stored.
    }
  });
}
