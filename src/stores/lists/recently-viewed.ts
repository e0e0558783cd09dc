import type { Card } from '#domain/card.ts';
import { decodeCards } from '#domain/stored-cards.ts';
import { readStored, writeStored } from '#stores/shell/storage.ts';

/** The products viewed on this device, newest first. They never leave the device. */

const RECENT_KEY = 'recently-viewed';
/** One more than a page shows, because a product page does not list its own product. */
const CARDS_LIMIT = 9;

const othersThan = (viewed: string): Card[] =>
  decodeCards(readStored(RECENT_KEY), CARDS_LIMIT).filter(({ id }) => id !== viewed);

export const removeViewed = (id: string): void =>
  void writeStored(RECENT_KEY, JSON.stringify(othersThan(id)));

export function recordViewed(card: Card): Card[] {
  const others = othersThan(card.id);
  writeStored(RECENT_KEY, JSON.stringify([card, ...others].slice(0, CARDS_LIMIT)));
  return others.slice(0, CARDS_LIMIT - 1);
}
