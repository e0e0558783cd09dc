import { decodeCart } from '#domain/cart.ts';
import { addToCart } from '#stores/cart/cart.ts';
import { readStored } from '#stores/shell/storage.ts';
import { $toasts } from '#stores/shell/toasts.ts';
import { runAfterLoad } from './after-load.ts';
import { updateCartBadges } from './badge.ts';

/* The script that every page loads first. */

/** Adds a product to the cart from its card. One listener serves all cards, also those that are drawn later. */
function handleAddButtons(): void {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-add]') : null;
    for (const line of decodeCart(button?.dataset.add).lines) addToCart(line);
  });
}

/** The page works without a part that cannot be loaded. */
const ignore = (): void => {};

if (readStored('language')) import('./hindi.ts').catch(ignore);
handleAddButtons();
updateCartBadges();
// What draws notices comes with the later parts, or with the first notice if that is sooner.
$toasts.listen(() => void import('./later.ts').then((later) => later.showToasts(), ignore));
runAfterLoad(() => void import('./later.ts').then((later) => later.startLaterParts(), ignore));
