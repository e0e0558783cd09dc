const TITLE = 'You are offline.';
const TEXT = ' Your cart and the pages you visited still work.';
const TEXT_SHOWN_MS = 8_000;

/** Shows on every page that the network is gone. The banner lies over the page, so nothing moves. */
export function showOfflineBanner(): void {
  // Screen readers announce a text only if its live region exists before it.
  const banner = document.createElement('div');
  banner.className = 'offline-banner';
  banner.setAttribute('role', 'status');
  const title = document.createElement('strong');
  title.textContent = TITLE;
  const text = document.createElement('span');
  text.textContent = TEXT;
  document.body.append(banner);
  let timer = 0;
  const draw = (): void => {
    clearTimeout(timer);
    banner.replaceChildren(...(navigator.onLine ? [] : [title, text]));
    // The long text goes after a while, because the visitor cannot always scroll the covered part into view.
    timer = window.setTimeout(() => text.remove(), TEXT_SHOWN_MS);
  };
  draw();
  // A page that comes back from the back/forward cache has missed earlier events.
  for (const event of ['online', 'offline', 'pageshow']) addEventListener(event, draw);
}
