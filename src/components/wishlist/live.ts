import { fetchInBackground } from '#api/background.ts';
import { productRequest } from '#api/requests.ts';
import { type Card, toCard } from '#domain/card.ts';
import { tintWords } from '#site.ts';

/** Loaded when the API is asked, not before: valibot comes with it. */

const ASKED_AT_MOST = 24;
const NOT_FOUND = 404;

async function liveCard(card: Card): Promise<Card> {
  const result = await fetchInBackground(productRequest(card.id));
  if (result.ok) return toCard(result.value, undefined, tintWords);
  const isGone = result.failure.kind === 'refused' && result.failure.status === NOT_FOUND;
  return isGone ? { ...card, price: 0 } : card;
}

/** What the API says today of the first products on the list; what cannot be asked stays as it is. */
export async function liveCards(cards: readonly Card[]): Promise<Map<string, Card>> {
  const live = await Promise.all(cards.slice(0, ASKED_AT_MOST).map(liveCard));
  return new Map(live.map((card) => [card.id, card]));
}
