import { atom } from 'nanostores';
import type { Card } from '#domain/card.ts';
import { decodeCards } from '#domain/stored-cards.ts';
import { readStored, watchStored, writeStored } from '#stores/shell/storage.ts';

/** Products the visitor wants to remember, kept on this device alone (resolutions 21b). */

export const WISHLIST_KEY = 'wishlist';
const CARDS_LIMIT = 200;

const read = (): Card[] => decodeCards(readStored(WISHLIST_KEY), CARDS_LIMIT);

/** Newest first. */
export const $wishlist = atom<readonly Card[]>([]);

const refresh = (): void => $wishlist.set(read());

refresh();
watchStored(WISHLIST_KEY, refresh);

function keep(cards: readonly Card[]): void {
  $wishlist.set(cards);
  writeStored(WISHLIST_KEY, JSON.stringify(cards));
}

/** Puts the product on the list or takes it off. Returns whether it is on it now. */
export function toggleWish(card: Card): boolean {
  const cards = read();
  const others = cards.filter(({ id }) => id !== card.id);
  const added = others.length === cards.length;
  const { picture: _, ...kept } = card;
  keep(added ? [kept, ...others].slice(0, CARDS_LIMIT) : others);
  return added;
}

/** Applies what the catalogue says today of products on the list. */
export const updateWishes = (cards: readonly Card[]): void => keep(cards);
