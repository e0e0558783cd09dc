import { itemCount } from '#domain/cart.ts';
import { $cart } from '#stores/cart/cart.ts';

const SHOWN_AT_MOST = 99;

const shown = (count: number): string => (count > SHOWN_AT_MOST ? `${SHOWN_AT_MOST}+` : String(count));

/** 'Cart, 3 items'; an empty cart is just 'Cart'. The count is written as on the badge, so that both say the same. */
const cartName = (count: number): string =>
  count === 0 ? 'Cart' : `Cart, ${shown(count)} ${count === 1 ? 'item' : 'items'}`;

/** Keeps every cart badge and the name of its link true. */
export function keepBadges(): void {
  const badges = document.querySelectorAll<HTMLElement>('[data-cart-count]');
  const links = document.querySelectorAll('[data-cart-link]');
  $cart.subscribe((cart) => {
    const count = itemCount(cart);
    for (const badge of badges) {
      badge.hidden = count === 0;
      badge.textContent = shown(count);
    }
    for (const link of links) link.setAttribute('aria-label', cartName(count));
  });
}
