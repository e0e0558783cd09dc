import type { ListingPage } from '#api/listing-data.ts';
import { element } from '#components/markup.ts';
import { cardMarkup } from '#components/product/card.ts';
import type { Priority } from '#components/product/picture.ts';
import type { Card } from '#domain/card.ts';
import { type ListingQuery, showingText } from '#domain/listing.ts';
import { paginationMarkup } from './pagination.ts';

type Outcome = 'cards' | 'empty' | 'failed';

const FIRST_ROW = 3;

const part = (name: string): HTMLElement | null => document.querySelector(`[data-listing-${name}]`);

const priorityAt = (index: number): Priority => (index === 0 ? 'high' : index < FIRST_ROW ? 'eager' : 'lazy');

function showOutcome(outcome: Outcome): void {
  for (const name of ['cards', 'empty', 'failed'] as const) {
    part(name)?.toggleAttribute('hidden', name !== outcome);
  }
  document.documentElement.classList.remove('listing-loading');
}

const pagination = (): Element | null => document.querySelector('[data-pagination]');

function renderFrame(query: ListingQuery, { cards, total }: ListingPage): void {
  part('status')?.replaceChildren(showingText(query.page, cards.length, total));
  pagination()?.replaceWith(paginationMarkup(element, query, total));
  showOutcome(cards.length === 0 ? 'empty' : 'cards');
}

export function showPage(query: ListingQuery, page: ListingPage): void {
  part('cards')?.replaceChildren(
    ...page.cards.map((card, index) => cardMarkup(element, card, priorityAt(index))),
  );
  renderFrame(query, page);
}

export function showFailure(): void {
  // The page links belong to a listing that is not shown.
  pagination()?.toggleAttribute('hidden', true);
  showOutcome('failed');
}

/** Focuses the same control in the new card, so that keyboard users do not lose their place. */
function refocus(card: Element, focused: Element): void {
  const part = focused.className.split(' ').find((name) => name.startsWith('card-'));
  const target = part ? card.querySelector<HTMLElement>(`.${part}`) : card.querySelector<HTMLElement>('h3 a');
  target?.focus({ preventScroll: true });
}

function replaceCard(old: Element, card: Card): void {
  const { activeElement } = document;
  const fresh = cardMarkup(element, card, 'lazy');
  old.replaceWith(fresh);
  if (activeElement && old.contains(activeElement)) refocus(fresh, activeElement);
}

/** Replaces only the cards that differ between the shown and the fresh listing. */
export function updatePage(query: ListingQuery, shown: ListingPage, fresh: ListingPage): void {
  const list = part('cards');
  if (!list) return;
  for (const [index, card] of fresh.cards.entries()) {
    const old = list.children[index];
    if (!old) list.append(cardMarkup(element, card, 'lazy'));
    else if (JSON.stringify(card) !== JSON.stringify(shown.cards[index])) replaceCard(old, card);
  }
  for (const old of [...list.children].slice(fresh.cards.length)) old.remove();
  if (fresh.total !== shown.total || fresh.cards.length !== shown.cards.length) renderFrame(query, fresh);
}
