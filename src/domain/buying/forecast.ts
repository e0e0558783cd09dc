import { type Cart, MIN_QUANTITY } from '#domain/cart.ts';
import { startOfDay } from '#domain/date.ts';
import type { Product } from '#domain/product.ts';
import { type LineFacts, lineFacts, type OrderFacts, type PlaceFacts, type StoreTerms } from './facts.ts';
import { type Problem, problemsOf, sentenceOf } from './rules.ts';

/* What the rules say before the API is asked. It blocks nothing: the stock may have changed on either side. */

const DAY_MS = 86_400_000;

export interface LineForecast {
  readonly text: string;
  /** The quantity of the line with which the rule holds, if there is one. */
  readonly offer?: number;
}

function offerOf(problem: Problem, facts: LineFacts, now: number): number | undefined {
  const { quantity, pieces, piecesOfSize } = facts;
  const holds = (offer: number): boolean => {
    const change = offer - quantity;
    const changed = {
      ...facts,
      quantity: offer,
      pieces: pieces + change,
      piecesOfSize: piecesOfSize + change,
    };
    return problemsOf('line', changed, now).every(({ code }) => code !== problem.code);
  };
  return [piecesOfSize, pieces]
    .map((all) => quantity + Number(problem.figures.count) - all)
    .find((offer) => offer >= MIN_QUANTITY && holds(offer));
}

/** Products whose request failed have no entry. */
type Today = ReadonlyMap<string, Product | 'discontinued'>;

const factsOf = (cart: Cart, today: Today): (LineFacts | undefined)[] =>
  lineFacts(cart, ({ id, name }) => {
    const product = today.get(id);
    return product && { product, name: product === 'discontinued' ? name : product.name };
  });

/** Returns the forecast of each line that the rules refuse. */
export const lineForecasts = (cart: Cart, today: Today, now: number): (LineForecast | undefined)[] =>
  factsOf(cart, today).map((facts) => {
    const [problem] = facts ? problemsOf('line', facts, now) : [];
    if (!facts || !problem) return undefined;
    const offer = offerOf(problem, facts, now);
    return { text: sentenceOf(problem), ...(offer && { offer }) };
  });

export interface Sentence {
  readonly text: string;
  /** What the shop adds in its own words, or ''. */
  readonly own: string;
}

const partsOf = ({ code, text, figures: { own = '', ...figures } }: Problem): Sentence => ({
  text: sentenceOf({ code, text, figures }),
  own,
});

/** Returns a sentence for each broken rule of an order or its place. Without a place, those of the order alone. */
export function sentencesOf(
  cart: Cart,
  today: Today,
  given: Omit<OrderFacts & PlaceFacts, 'lines'>,
  now: number,
): { readonly order: readonly Sentence[]; readonly place: readonly Sentence[] } {
  const facts = { ...given, lines: factsOf(cart, today).filter((line) => line !== undefined) };
  return {
    order: cart.length > 0 ? problemsOf('order', facts, now).map(partsOf) : [],
    place: given.postalCode ? problemsOf('place', facts, now).map(partsOf) : [],
  };
}

/** Returns the pause that has not ended, if there is one. @param now ms since 1970 */
export function pauseOf(
  store: StoreTerms,
  now: number,
): (Sentence & { from: number; until: number }) | undefined {
  const from = startOfDay(store.pause.from) || 0;
  const until = startOfDay(store.pause.until) + DAY_MS;
  const facts = { store, lines: [], subtotal: Number.POSITIVE_INFINITY };
  const problem = problemsOf('order', facts, Math.max(now, from)).find(
    ({ code }) => code === 'orders_paused',
  );
  return problem && now < until ? { ...partsOf(problem), from, until } : undefined;
}
