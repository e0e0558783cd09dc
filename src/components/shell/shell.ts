import { decodeCart, itemCount } from '#domain/cart.ts';
import { $cart, addToCart } from '#stores/cart/cart.ts';
import { runAfterLoad } from '#stores/shell/page-load.ts';
import { readStored } from '#stores/shell/storage.ts';
import { $toasts } from '#stores/shell/toasts.ts';

const HIGHEST_SHOWN = 99;

const countText = (count: number): string => (count > HIGHEST_SHOWN ? `${HIGHEST_SHOWN}+` : String(count));

/** 'Cart, 3 items'. The accessible name must contain the count as the badge shows it. */
const cartLabel = (count: number): string =>
  count === 0 ? 'Cart' : `Cart, ${countText(count)} ${count === 1 ? 'item' : 'items'}`;

function updateCartBadges(): void {
  const badges = document.querySelectorAll<HTMLElement>('[data-cart-count]');
  const links = document.querySelectorAll('[data-cart-link]');
  $cart.subscribe((cart) => {
    const count = itemCount(cart);
    for (const badge of badges) {
      badge.hidden = count === 0;
      badge.textContent = countText(count);
    }
    for (const link of links) link.setAttribute('aria-label', cartLabel(count));
  });
}

/* The script that every page loads first. */

/** Adds a product from its card. One listener serves all cards, also those rendered later. */
function handleAddButtons(): void {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-add]') : null;
    for (const line of decodeCart(button?.dataset.add).lines)
      addToCart(line, Number(button?.dataset.minPerOrder ?? 1));
  });
}

/** The page works without a part that cannot be loaded. */
const ignore = (): void => {};

if (readStored('language') === 'hi') import('./hindi.ts').catch(ignore);
handleAddButtons();
updateCartBadges();
// later.ts, which renders notices, loads after the page, or with the first notice.
$toasts.listen(() => void import('./later.ts').then((later) => later.showToasts(), ignore));
runAfterLoad(() => void import('./later.ts').then((later) => later.startLaterParts(), ignore));
