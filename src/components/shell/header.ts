import { hasToken } from '#api/token-cookie.ts';

function watchScroll(): void {
  const header = document.querySelector('[data-header]');
  const mark = document.querySelector('[data-scroll-mark]');
  if (!header || !mark) return;
  new IntersectionObserver(([entry]) => {
    header.classList.toggle('header-scrolled', entry?.isIntersecting === false);
  }).observe(mark);
}

/** Closes the menu where the browser leaves the popover open: after a tap on a link, and on a wide screen. */
function closeMenu(): void {
  const menu = document.querySelector<HTMLElement>('[data-menu]');
  if (!menu) return;
  // shell.ts closes it where the browser has no popovers.
  const close = (): void => menu.hidePopover?.();
  menu.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a')) close();
  });
  matchMedia('(min-width: 768px)').addEventListener('change', close);
}

/** Switches between Login and the account icon. early.ts sets it for the first paint. */
function watchSession(): void {
  const render = (): void => {
    document.documentElement.classList.toggle('signed-in', hasToken());
  };
  render();
  addEventListener('focus', render);
  addEventListener('pageshow', render);
  document.addEventListener('visibilitychange', render);
  // Fires at once, even if this page deletes the token, but not every browser supports it.
  globalThis.cookieStore?.addEventListener('change', render);
}

export function enhanceHeader(): void {
  watchScroll();
  closeMenu();
  watchSession();
}
