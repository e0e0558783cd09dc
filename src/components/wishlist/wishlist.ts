import { newCard } from '#components/product/card.ts';
import { copyTemplate } from '#components/product/template.ts';
import { whenQuiet } from '#components/quiet.ts';
import { type Card, plainPicture } from '#domain/card.ts';
import { notify } from '#stores/toasts.ts';
import { $wishlist, toggleWish, updateWishes } from '#stores/wishlist.ts';

const list = document.querySelector<HTMLElement>('[data-wishlist]');
const heading = document.querySelector<HTMLElement>('[data-wishlist-heading]');
const empty = document.querySelector<HTMLElement>('[data-wishlist-empty]');

function remove(card: Card): void {
  toggleWish(card);
  notify({
    title: 'Removed from wishlist',
    text: card.name,
    action: { label: 'Undo', run: () => void toggleWish(card) },
  });
  list?.querySelector<HTMLElement>('.wishlist-remove')?.focus();
}

function wishCard(card: Card, index: number): HTMLElement {
  const picture = card.image === '' ? {} : { picture: plainPicture(card.image) };
  const element = newCard({ ...card, ...picture }, index < 3 ? 'eager' : 'lazy');
  const button = copyTemplate('wish-remove');
  button.querySelector('.sr-only')?.append(`${card.name} from wishlist`);
  button.addEventListener('click', () => remove(card));
  element.append(button);
  return element;
}

/** Today's prices and names; what is gone cannot be bought. */
async function refresh(): Promise<void> {
  const { liveCards } = await import('./live.ts');
  const live = await liveCards($wishlist.get());
  const cards = $wishlist.get().map((card) => live.get(card.id) ?? card);
  if (JSON.stringify(cards) !== JSON.stringify($wishlist.get())) updateWishes(cards);
}

$wishlist.subscribe((cards) => {
  list?.replaceChildren(...cards.map(wishCard));
  if (heading) heading.hidden = cards.length === 0;
  if (empty) empty.hidden = cards.length > 0;
});
whenQuiet(() => void refresh());
