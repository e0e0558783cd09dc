import { hasToken } from '#api/token-cookie.ts';

/** The style changes when more than the first 20 px have been scrolled away (spec 9). */
function watchScroll(): void {
  const header = document.querySelector('[data-header]');
  const mark = document.querySelector('[data-scroll-mark]');
  if (!header || !mark) return;
  new IntersectionObserver(([entry]) => {
    header.classList.toggle('header-scrolled', entry?.isIntersecting === false);
  }).observe(mark);
}

/** The browser opens and closes the popover by itself, and says so; this closes it where it would stay. */
function tendMenu(): void {
  const menu = document.querySelector<HTMLElement>('[data-menu]');
  if (!menu) return;
  const close = (): void => menu.hidePopover();
  menu.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a')) close();
  });
  matchMedia('(min-width: 768px)').addEventListener('change', close);
}

/** Login or the account icon; the inline script of the head has said it for the first paint. */
function watchSession(): void {
  const draw = (): void => {
    document.documentElement.classList.toggle('signed-in', hasToken());
  };
  draw();
  addEventListener('focus', draw);
  addEventListener('pageshow', draw);
  document.addEventListener('visibilitychange', draw);
  // Tells at once, also of a token that this page deleted; not in every browser.
  globalThis.cookieStore?.addEventListener('change', draw);
}

export function tendHeader(): void {
  watchScroll();
  tendMenu();
  watchSession();
}
