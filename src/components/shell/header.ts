import { hasToken } from '#api/token-cookie.ts';
import { keyOf } from '#stores/shell/events.ts';

function watchScroll(): void {
  const header = document.querySelector('[data-header]');
  const mark = document.querySelector('[data-scroll-mark]');
  if (!header || !mark) return;
  new IntersectionObserver(([entry]) => {
    header.classList.toggle('header-scrolled', entry?.isIntersecting === false);
  }).observe(mark);
}

/** Opens and closes the menu where the browser has no popovers, as Chrome 109, iOS 16 and Firefox 115. */
function openMenuWithoutPopovers(menu: HTMLElement): void {
  const button = document.querySelector<HTMLElement>('[popovertarget]');
  const isOpen = (): boolean => menu.classList.contains('menu-open');
  const setOpen = (open: boolean): void => {
    menu.classList.toggle('menu-open', open);
    button?.setAttribute('aria-expanded', String(open));
  };
  setOpen(false);
  addEventListener('click', ({ target }) => {
    const tapped = target instanceof Element ? target : null;
    if (button?.contains(tapped)) setOpen(!isOpen());
    else if (tapped?.closest('a') || !menu.contains(tapped)) setOpen(false);
  });
  addEventListener('keydown', (event) => {
    if (keyOf(event) !== 'Escape' || !isOpen()) return;
    setOpen(false);
    button?.focus();
  });
  // early.ts has held back a tap on the button until now.
  dispatchEvent(new Event('hydrated'));
}

/** Closes the menu where the browser leaves the popover open: after a tap on a link, and on a wide screen. */
function closeMenu(menu: HTMLElement): void {
  const close = (): void => menu.hidePopover();
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

/** Where there is too little room, a name ends in an ellipsis. */
function titleNames(): void {
  for (const name of document.querySelectorAll<HTMLElement>('.header [data-store]'))
    name.title = name.textContent.trim();
}

export function enhanceHeader(): void {
  watchScroll();
  titleNames();
  const menu = document.querySelector<HTMLElement>('[data-menu]');
  if (menu && 'hidePopover' in HTMLElement.prototype) closeMenu(menu);
  else if (menu) openMenuWithoutPopovers(menu);
  watchSession();
}
