import type { ListingPage } from '#api/listing-data.ts';
import { copyTemplate, newCard } from '#components/product/card.ts';
import type { Priority } from '#components/product/picture.ts';
import type { Card } from '#domain/card.ts';
import {
  type ListingQuery,
  listingSearch,
  pageCount,
  paginationItems,
  showingText,
} from '#domain/listing.ts';
import { paths } from '#paths.ts';

type PageAddress = (page: number) => string;

function newItem(page: number, query: ListingQuery, pages: number, address: PageAddress): HTMLElement {
  const item = copyTemplate('page-item');
  const link = item.querySelector('a');
  if (!link) return item;
  link.textContent = String(page);
  link.href = address(page);
  link.setAttribute('aria-label', `Page ${page}${page === pages ? ', last page' : ''}`);
  if (page === query.page) link.setAttribute('aria-current', 'page');
  return item;
}

function newGap(): HTMLElement {
  const gap = document.createElement('li');
  gap.textContent = '…';
  gap.setAttribute('aria-hidden', 'true');
  return gap;
}

function setStep(link: Element | null, page: number, pages: number, address: PageAddress): void {
  if (page >= 1 && page <= pages) link?.setAttribute('href', address(page));
  else link?.removeAttribute('href');
}

function renderPagination(nav: HTMLElement, query: ListingQuery, total: number): void {
  const pages = pageCount(total);
  const address: PageAddress = (page) => paths.products + listingSearch({ ...query, page });
  nav.hidden = pages < 2;
  nav
    .querySelector('ul')
    ?.replaceChildren(
      ...paginationItems(query.page, pages).map((item) =>
        item === 'ellipsis' ? newGap() : newItem(item, query, pages, address),
      ),
    );
  setStep(nav.querySelector('[data-step=previous]'), query.page - 1, pages, address);
  setStep(nav.querySelector('[data-step=next]'), query.page + 1, pages, address);
}

type Outcome = 'cards' | 'empty' | 'failed';

const FIRST_ROW = 3;

const part = (name: string): HTMLElement | null => document.querySelector(`[data-listing-${name}]`);

const priorityAt = (index: number): Priority => (index === 0 ? 'high' : index < FIRST_ROW ? 'eager' : 'lazy');

function showOutcome(outcome: Outcome): void {
  for (const name of ['cards', 'empty', 'failed'] as const) {
    const element = part(name);
    if (element) element.hidden = name !== outcome;
  }
  document.documentElement.classList.remove('listing-loading');
}

const pagination = (): HTMLElement | null => document.querySelector('[data-pagination]');

function renderFrame(query: ListingQuery, { cards, total }: ListingPage): void {
  part('status')?.replaceChildren(showingText(query.page, cards.length, total));
  const nav = pagination();
  if (nav) renderPagination(nav, query, total);
  showOutcome(cards.length === 0 ? 'empty' : 'cards');
}

export function showPage(query: ListingQuery, page: ListingPage): void {
  part('cards')?.replaceChildren(...page.cards.map((card, index) => newCard(card, priorityAt(index))));
  renderFrame(query, page);
}

export function showFailure(): void {
  const nav = pagination();
  // The page links belong to a listing that is not shown.
  if (nav) nav.hidden = true;
  showOutcome('failed');
}

/** Focuses the same control in the new card, so that keyboard users do not lose their place. */
function refocus(card: HTMLElement, focused: Element): void {
  const part = focused.className.split(' ').find((name) => name.startsWith('card-'));
  const target = part ? card.querySelector<HTMLElement>(`.${part}`) : card.querySelector<HTMLElement>('h3 a');
  target?.focus({ preventScroll: true });
}

function replaceCard(element: Element, card: Card): void {
  const { activeElement } = document;
  const fresh = newCard(card, 'lazy');
  element.replaceWith(fresh);
  if (activeElement && element.contains(activeElement)) refocus(fresh, activeElement);
}

/** Replaces only the cards that differ between the shown and the fresh listing. */
export function updatePage(query: ListingQuery, shown: ListingPage, fresh: ListingPage): void {
  const list = part('cards');
  if (!list) return;
  for (const [index, card] of fresh.cards.entries()) {
    const element = list.children[index];
    if (!element) list.append(newCard(card, 'lazy'));
    else if (JSON.stringify(card) !== JSON.stringify(shown.cards[index])) replaceCard(element, card);
  }
  for (const element of [...list.children].slice(fresh.cards.length)) element.remove();
  if (fresh.total !== shown.total || fresh.cards.length !== shown.cards.length) renderFrame(query, fresh);
}
