const KEY = 'page-reloaded';

/** Notes that the page has failed; false if it failed before the reload too, or if nothing can be stored. */
function noteFirstFailure(): boolean {
  try {
    if (sessionStorage.getItem(KEY) === location.pathname) return false;
    sessionStorage.setItem(KEY, location.pathname);
    return true;
  } catch {
    return false;
  }
}

/** A script of the page's HTML: of its head, or one that an island needs (IslandScripts.astro). */
const isOwnScript = (target: EventTarget | null): boolean =>
  target instanceof HTMLScriptElement || (target instanceof HTMLLinkElement && 'island' in target.dataset);

function showReloadButton(): void {
  const note = document.createElement('p');
  note.className = 'reload wrap';
  note.role = 'alert';
  const button = document.createElement('button');
  button.className = 'btn btn-sm';
  button.textContent = 'Reload';
  button.onclick = () => location.reload();
  note.append('A part of this page could not be loaded. ', button);
  document.querySelector('main')?.prepend(note);
}

/**
 * Reloads a page once if one of its own scripts cannot be loaded, because the script is of an older release. If that
 * does not help, the page stays readable and shows a Reload button. Offline, the reload waits for the
 * network. stale.ts does the same for scripts that are imported later.
 */
export function reloadForMissingScripts(): void {
  let failed = false;
  let leaving = false;
  /** When a page is left, Firefox fails its pending scripts. A reload would then take the visitor back to the page. */
  const leave = (): void => {
    leaving = true;
  };
  addEventListener('beforeunload', leave);
  addEventListener(
    'error',
    ({ target }) => {
      if (failed || leaving || !isOwnScript(target)) return;
      failed = true;
      if (!navigator.onLine) addEventListener('online', () => location.reload());
      else if (noteFirstFailure()) location.reload();
      else if (document.readyState === 'loading') addEventListener('DOMContentLoaded', showReloadButton);
      else showReloadButton();
    },
    true,
  );
  addEventListener('load', () => {
    // Firefox may keep a page with this listener out of its back/forward cache.
    removeEventListener('beforeunload', leave);
    try {
      if (!failed) sessionStorage.removeItem(KEY);
    } catch {
      // Storage is blocked, so nothing was stored.
    }
  });
}
