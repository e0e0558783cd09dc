import { CLOSE, element, icon } from '#components/markup.ts';
import { cardMarkup } from '#components/product/card.ts';
import type { LiveCards } from '#components/product/live-cards.ts';
import type { Card } from '#domain/card.ts';
import { withPlainPicture } from '#domain/picture.ts';
import { $wishlist, setWishes, toggleWish } from '#stores/lists/wishlist.ts';
import { whenShown } from '#stores/shell/page-load.ts';
import { notify } from '#stores/shell/toasts.ts';

const list = document.querySelector<HTMLElement>('[data-wishlist]');
const heading = document.querySelector<HTMLElement>('[data-wishlist-heading]');
const empty = document.querySelector<HTMLElement>('[data-wishlist-empty]');

function remove(card: Card, button: HTMLElement): void {
  // Safari does not focus a button that is clicked.
  button.focus();
  toggleWish(card);
  notify({
    title: 'Removed from wishlist',
    text: card.name,
    action: { label: 'Undo', run: () => void toggleWish(card) },
  });
}

const BUTTON =
  'relative inline-flex min-h-11 items-center justify-center gap-2 border-0 bg-transparent p-0 font-semibold underline underline-offset-4';

function wishCard(card: Card, index: number): Element {
  const item = cardMarkup(element, withPlainPicture(card), index < 3 ? 'eager' : 'lazy');
  const name = element('span', { class: 'sr-only' }, `${card.name} from wishlist`);
  const text = element('span', {}, 'Remove ', name);
  const button = element('button', { class: BUTTON, type: 'button' }, icon(element, CLOSE, 18), text);
  button.addEventListener('click', () => remove(card, button));
  item.append(button);
  return item;
}

/** Shows today's prices and names. A discontinued product loses its price, so it cannot be bought. */
function showLive(live: LiveCards): void {
  const cards = $wishlist.get().map((card) => {
    const today = live.get(card.id) ?? card;
    return today === 'discontinued' ? { ...card, price: 0 } : today;
  });
  if (JSON.stringify(cards) !== JSON.stringify($wishlist.get())) setWishes(cards);
}

let observe = (): void => {};

const cardsIn = (container: HTMLElement): HTMLElement[] => [
  ...container.querySelectorAll<HTMLElement>('.card'),
];
const controlsIn = (card: HTMLElement): HTMLElement[] => [...card.querySelectorAll<HTMLElement>('a, button')];

/** Restores the focus in its card, or moves it to the card that replaces a removed one. */
function rerender(container: HTMLElement, cards: readonly Card[]): void {
  const { activeElement } = document;
  const before = cardsIn(container);
  const index = before.findIndex((card) => card.contains(activeElement));
  const focusedCard = before[index];
  container.replaceChildren(...cards.map(wishCard));
  if (!focusedCard) return;
  const after = cardsIn(container);
  const next =
    after.find(({ dataset }) => dataset.id === focusedCard.dataset.id) ?? after[index] ?? after.at(-1);
  const control = controlsIn(focusedCard).findIndex((element) => element.contains(activeElement));
  const controls = next ? controlsIn(next) : [];
  (controls[control] ?? controls.at(-1))?.focus();
}

$wishlist.subscribe((cards) => {
  const hadFocus = list?.contains(document.activeElement);
  if (list) rerender(list, cards);
  observe();
  if (heading) heading.hidden = cards.length === 0;
  if (empty) empty.hidden = cards.length > 0;
  if (hadFocus && cards.length === 0) empty?.querySelector('h2')?.focus();
});
if (list)
  whenShown(
    () =>
      void import('#components/product/live-cards.ts').then(
        ({ watchCards }) => {
          observe = watchCards(list, showLive);
        },
        // stale.ts, which handles failed imports, may not have loaded yet.
        () => {},
      ),
  );
