import { fetchInBackground } from '#api/background.ts';
import { isNotFound } from '#api/failure.ts';
import { productRequest } from '#api/requests.ts';
import { type Card, toCard } from '#domain/card.ts';

/* Loaded on demand, because it imports valibot. */

const REFRESH_LIMIT = 24;

async function liveCard(card: Card): Promise<Card> {
  const result = await fetchInBackground(productRequest(card.id));
  if (result.ok) return toCard(result.value);
  return isNotFound(result.failure) ? { ...card, price: 0 } : card;
}

/** Returns current cards of the first products, by id. A card whose request fails stays unchanged. */
export async function liveCards(cards: readonly Card[]): Promise<Map<string, Card>> {
  const live = await Promise.all(cards.slice(0, REFRESH_LIMIT).map(liveCard));
  return new Map(live.map((card) => [card.id, card]));
}
