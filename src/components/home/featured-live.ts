import { fetchInBackground } from '#api/background.ts';
import { featuredRequest } from '#api/requests.ts';
import { element } from '#components/markup.ts';
import { cardMarkup } from '#components/product/card.ts';
import { toCard } from '#domain/card.ts';
import { featuredFirst } from '#domain/listing.ts';
import { withPlainPicture } from '#domain/picture.ts';
import type { Product } from '#domain/product.ts';

/* Loaded on demand, because it imports valibot. */

const cardOf = (product: Product): Element => cardMarkup(element, withPlainPicture(toCard(product)), 'lazy');

function contentOf(card: Element): string {
  const add = card.querySelector<HTMLElement>('[data-add]');
  const words = card.textContent?.replace(/\s+/g, ' ').trim();
  return JSON.stringify([card.getAttribute('data-id'), words, add?.dataset.add]);
}

/** Replaces changed cards. A failure is only logged. */
export async function showFeatured(list: HTMLElement): Promise<void> {
  const result = await fetchInBackground(featuredRequest(list.dataset.featured ?? ''));
  if (!result.ok) console.warn('Failed to load featured products', result.failure);
  else {
    const shown = [...list.querySelectorAll('.card')];
    const fresh = featuredFirst(result.value.products).map(cardOf);
    const cards = fresh.map((card) => shown.find((old) => contentOf(old) === contentOf(card)) ?? card);
    list.replaceChildren(...cards);
  }
  list.removeAttribute('aria-busy');
  const isEmpty = list.querySelector('.card') === null;
  list.hidden = isEmpty;
  const none = document.querySelector<HTMLElement>('[data-featured-none]');
  if (none) none.hidden = !isEmpty;
}
