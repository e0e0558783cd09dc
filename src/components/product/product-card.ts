import type { Card } from '#domain/card.ts';

/** Reads the product's card from its page. It has no `picture`, which nothing that is done with this card shows. */
export function cardOf(product: HTMLElement): Card {
  const card: Card = JSON.parse(product.dataset.product ?? '{}');
  return card;
}
