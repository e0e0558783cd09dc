import { fetchInBackground } from '#api/background.ts';
import { featuredRequest } from '#api/requests.ts';
import { newCard } from '#components/product/card.ts';
import { plainPicture, toCard } from '#domain/card.ts';
import { featuredFirst } from '#domain/listing.ts';
import type { Product } from '#domain/product.ts';
import { tintWords } from '#site.ts';

/** Loaded when the API is asked, not before: valibot comes with it. */

const cardOf = (product: Product): HTMLElement =>
  newCard(toCard(product, product.image ? plainPicture(product.image) : undefined, tintWords), 'lazy');

/** All that a shopper reads of a card, and what it would put into the cart. */
function meaningOf(card: HTMLElement): string {
  const add = card.querySelector<HTMLElement>('[data-add]');
  const words = card.textContent?.replace(/\s+/g, ' ').trim();
  return JSON.stringify([card.dataset.id, words, add?.dataset.add]);
}

function isSame(shown: Element | undefined, fresh: HTMLElement): boolean {
  return shown instanceof HTMLElement && meaningOf(shown) === meaningOf(fresh);
}

/** Draws what differs from what stands there; a failure is only logged (spec 2, home; spec 4). */
export async function showFeatured(list: HTMLElement): Promise<void> {
  const result = await fetchInBackground(featuredRequest(list.dataset.featured ?? ''));
  if (!result.ok) console.warn('Failed to load featured products', result.failure);
  else {
    const shown = [...list.querySelectorAll('.card')];
    const fresh = featuredFirst(result.value.products).map(cardOf);
    const keep = fresh.map((card, index) => (isSame(shown[index], card) ? shown[index] : card));
    list.replaceChildren(...keep.filter((card) => card !== undefined));
  }
  list.removeAttribute('aria-busy');
  const isEmpty = list.querySelector('.card') === null;
  list.hidden = isEmpty;
  const none = document.querySelector<HTMLElement>('[data-featured-none]');
  if (none) none.hidden = !isEmpty;
}
