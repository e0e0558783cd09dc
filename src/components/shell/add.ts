import { decodeCart } from '#domain/cart.ts';
import { addToCart } from '#stores/cart/cart.ts';

/** Buttons that add at once. One listener serves the cards of the page and those that are drawn later. */
export function answerAddButtons(): void {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-add]') : null;
    for (const line of decodeCart(button?.dataset.add).lines) addToCart(line);
  });
}
