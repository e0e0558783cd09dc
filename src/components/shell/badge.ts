import { itemCount } from '#domain/cart.ts';
import { $cart } from '#stores/cart/cart.ts';

const HIGHEST_SHOWN = 99;

const countText = (count: number): string => (count > HIGHEST_SHOWN ? `${HIGHEST_SHOWN}+` : String(count));

/** The accessible name of the link, such as 'Cart, 3 items'. It must contain the count as the badge shows it. */
const cartLabel = (count: number): string =>
  count === 0 ? 'Cart' : `Cart, ${countText(count)} ${count === 1 ? 'item' : 'items'}`;

/** Updates every cart badge and the label of its link whenever the cart changes. */
export function updateCartBadges(): void {
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
