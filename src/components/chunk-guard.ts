/*
 * On pages of islands, before their scripts are asked for: when the page's own script of an older release is gone, there
 * is nobody else to notice. The page loads once more, and if that does not help, offers to (faults 89); what is written
 * in it stays readable. Without a signal it waits for one. Scripts that are fetched later are stale.ts's.
 */

const RELOADED = 'page-reloaded';
let failed = false;
let leaving = false;

function offerReload(): void {
  if (document.querySelector('.reload')) return;
  const note = document.createElement('p');
  note.className = 'reload wrap';
  note.setAttribute('role', 'alert');
  const button = document.createElement('button');
  button.className = 'btn btn-sm';
  button.type = 'button';
  button.textContent = 'Reload';
  button.addEventListener('click', () => location.reload());
  note.append('A part of this page could not be loaded. ', button);
  document.querySelector('main')?.prepend(note);
}

/** True once a page: the second failure in a row is not answered by a third try. */
function mayReload(): boolean {
  try {
    if (sessionStorage.getItem(RELOADED) === location.pathname) return false;
    sessionStorage.setItem(RELOADED, location.pathname);
    return true;
  } catch {
    return false;
  }
}

/** Firefox fails what is still on its way when the page is being left: a reload would take the visitor back to it. */
const noteLeaving = (): void => {
  leaving = true;
};

function recover(): void {
  if (failed || leaving) return;
  failed = true;
  if (!navigator.onLine) addEventListener('online', () => location.reload());
  else if (mayReload()) location.reload();
  else if (document.readyState === 'loading') addEventListener('DOMContentLoaded', offerReload);
  else offerReload();
}

addEventListener(
  'error',
  ({ target }) => {
    const isScript =
      target instanceof HTMLScriptElement ||
      (target instanceof HTMLLinkElement && target.rel === 'modulepreload');
    if (isScript) recover();
  },
  true,
);
addEventListener('beforeunload', noteLeaving);
addEventListener('load', () => {
  // Firefox may keep no page for Back that listens to this.
  removeEventListener('beforeunload', noteLeaving);
  if (failed) return;
  try {
    sessionStorage.removeItem(RELOADED);
  } catch {
    // Nothing was kept, then.
  }
});
