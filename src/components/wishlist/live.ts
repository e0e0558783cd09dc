import { fetchInBackground } from '#api/background.ts';
import { productRequest } from '#api/requests.ts';
import { type Card, toCard } from '#domain/card.ts';
import { tintWords } from '#domain/tint.ts';

/** Loaded only when the API is called, because it brings valibot. */

const REFRESH_LIMIT = 24;
const NOT_FOUND = 404;

async function liveCard(card: Card): Promise<Card> {
  const result = await fetchInBackground(productRequest(card.id));
  if (result.ok) return toCard(result.value, undefined, tintWords);
  const isGone = result.failure.kind === 'refused' && result.failure.status === NOT_FOUND;
  return isGone ? { ...card, price: 0 } : card;
}

/** The current cards of the first products on the list, by id. A card whose request fails stays as it is. */
export async function liveCards(cards: readonly Card[]): Promise<Map<string, Card>> {
  const live = await Promise.all(cards.slice(0, REFRESH_LIMIT).map(liveCard));
  return new Map(live.map((card) => [card.id, card]));
}
