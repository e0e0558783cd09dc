import type { Card } from '#domain/card.ts';
import { decodeCards } from '#domain/stored-cards.ts';
import { readStored, writeStored } from '#stores/shell/storage.ts';

/** Products that were looked at on this device, the last one first; they leave it with nobody. */

const RECENT_KEY = 'recently-viewed';
/** One more than is shown: the page does not show its own product. */
const KEPT = 9;

/** Notes the product as the last one looked at, and returns those before it. */
export function noteViewed(card: Card): Card[] {
  const others = decodeCards(readStored(RECENT_KEY), KEPT).filter(({ id }) => id !== card.id);
  const { picture: _, ...kept } = card;
  writeStored(RECENT_KEY, JSON.stringify([kept, ...others].slice(0, KEPT)));
  return others.slice(0, KEPT - 1);
}
