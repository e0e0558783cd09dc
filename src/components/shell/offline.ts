const TITLE = 'You are offline.';
const TEXT = ' Your cart and the pages you visited still work.';
const TEXT_SHOWN_MS = 8_000;

/** Says on every page that the network is gone (faults 18). It lies over the page, so nothing moves. */
export function drawBanner(): void {
  // The region is there before its text, which is announced for that reason.
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
    // What lies under the banner cannot always be scrolled free.
    timer = window.setTimeout(() => text.remove(), TEXT_SHOWN_MS);
  };
  draw();
  // A page that comes back from the back/forward cache missed what happened meanwhile.
  for (const event of ['online', 'offline', 'pageshow']) addEventListener(event, draw);
}
