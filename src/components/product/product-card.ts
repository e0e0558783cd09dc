import type { Card } from '#domain/card.ts';

/** What the page of a product knows of it: enough for a cart line, a wish, a card. */
export function cardOf(product: HTMLElement): Card {
  const card: Card = JSON.parse(product.dataset.product ?? '{}');
  return card;
}
