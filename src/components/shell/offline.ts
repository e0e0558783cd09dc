const TITLE = 'You are offline.';
const TEXT = ' Your cart and the pages you visited still work.';

/** Says on every page that the network is gone (faults 18). It lies over the page, so nothing moves. */
export function drawBanner(): void {
  // The region is there before its text, which is announced for that reason.
  const banner = document.createElement('div');
  banner.className = 'offline-banner';
  banner.setAttribute('role', 'status');
  const title = document.createElement('strong');
  title.textContent = TITLE;
  document.body.append(banner);
  const draw = (): void => banner.replaceChildren(...(navigator.onLine ? [] : [title, TEXT]));
  draw();
  // A page that comes back from the back/forward cache missed what happened meanwhile.
  for (const event of ['online', 'offline', 'pageshow']) addEventListener(event, draw);
}
