const RELOADED = 'page-reloaded';

/** True the first time a page fails; false if it fails again after the reload. */
function mayReload(): boolean {
  try {
    if (sessionStorage.getItem(RELOADED) === location.pathname) return false;
    sessionStorage.setItem(RELOADED, location.pathname);
    return true;
  } catch {
    return false;
  }
}

function offerReload(): void {
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
 * A page whose own scripts are gone, because they are of an older release, loads once more; if that does not help, it
 * offers to (faults 89). What is written in it stays readable. Without a signal it waits for one. Scripts that are
 * fetched later are shell/stale.ts's.
 */
export function mendMissingScripts(): void {
  let failed = false;
  let leaving = false;
  /** Firefox fails what is still on its way when the page is being left: a reload would take the visitor back to it. */
  const leave = (): void => {
    leaving = true;
  };
  addEventListener('beforeunload', leave);
  addEventListener(
    'error',
    ({ target }) => {
      if (failed || leaving || !(target instanceof HTMLScriptElement)) return;
      failed = true;
      if (!navigator.onLine) addEventListener('online', () => location.reload());
      else if (mayReload()) location.reload();
      else if (document.readyState === 'loading') addEventListener('DOMContentLoaded', offerReload);
      else offerReload();
    },
    true,
  );
  addEventListener('load', () => {
    // Firefox may keep a page with this listener out of its back/forward cache.
    removeEventListener('beforeunload', leave);
    try {
      if (!failed) sessionStorage.removeItem(RELOADED);
    } catch {
      // Storage is blocked, so nothing was noted.
    }
  });
}
