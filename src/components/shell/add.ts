import { decodeCart } from '#domain/cart.ts';
import { addToCart } from '#stores/cart.ts';

/**
 * Buttons that add at once carry their cart line, quantity included, as JSON in `data-add`. One listener serves the
 * cards of the page and those that are drawn later.
 */
export function answerAddButtons(): void {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-add]') : null;
    const [line] = button ? decodeCart(`[${button.dataset.add}]`).lines : [];
    if (line) addToCart(line);
  });
}
