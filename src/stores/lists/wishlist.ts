import { atom } from 'nanostores';
import type { Card } from '#domain/card.ts';
import { decodeCards } from '#domain/stored-cards.ts';
import { readStored, watchStored, writeStored } from '#stores/shell/storage.ts';

/** Products that the visitor saved. They are stored on this device only. */

const WISHLIST_KEY = 'wishlist';
const CARDS_LIMIT = 200;

const read = (): Card[] => decodeCards(readStored(WISHLIST_KEY), CARDS_LIMIT);

/** Newest first. */
export const $wishlist = atom<readonly Card[]>([]);

const refresh = (): void => $wishlist.set(read());

refresh();
watchStored(WISHLIST_KEY, refresh);

export function setWishes(cards: readonly Card[]): void {
  $wishlist.set(cards);
  writeStored(WISHLIST_KEY, JSON.stringify(cards));
}

export function toggleWish(card: Card): boolean {
  const cards = read();
  const others = cards.filter(({ id }) => id !== card.id);
  const added = others.length === cards.length;
  setWishes(added ? [card, ...others].slice(0, CARDS_LIMIT) : others);
  return added;
}
