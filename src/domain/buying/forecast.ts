import { type Cart, MIN_QUANTITY } from '#domain/cart.ts';
import { startOfDay } from '#domain/date.ts';
import type { Product } from '#domain/product.ts';
import { type LineFacts, lineFacts, type StoreTerms } from './facts.ts';
import { type Problem, problemsOf, sentenceOf } from './rules.ts';

/* What the rules say before the API is asked. It blocks nothing: the stock may have changed on either side. */

const DAY_MS = 86_400_000;

export interface LineForecast {
  readonly text: string;
  /** The quantity of the line with which the rule holds, if there is one. */
  readonly offer?: number;
}

function offerOf(problem: Problem, facts: LineFacts, quantity: number, now: number): number | undefined {
  const holds = (offer: number): boolean => {
    const change = offer - quantity;
    const { pieces, piecesOfSize } = facts;
    const changed = { ...facts, pieces: pieces + change, piecesOfSize: piecesOfSize + change };
    return problemsOf('line', changed, now).every(({ code }) => code !== problem.code);
  };
  return [facts.piecesOfSize, facts.pieces]
    .map((pieces) => quantity + Number(problem.figures.count) - pieces)
    .find((offer) => offer >= MIN_QUANTITY && holds(offer));
}

/** Returns the forecast of each line that the rules refuse. @param today products whose request failed have no entry */
export const lineForecasts = (
  cart: Cart,
  today: ReadonlyMap<string, Product | 'discontinued'>,
  now: number,
): (LineForecast | undefined)[] =>
  lineFacts(cart, ({ id, name }) => {
    const product = today.get(id);
    return product && { product, name: product === 'discontinued' ? name : product.name };
  }).map((facts, index) => {
    const [problem] = facts ? problemsOf('line', facts, now) : [];
    if (!facts || !problem) return undefined;
    const offer = offerOf(problem, facts, cart[index]?.quantity ?? 0, now);
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

/** Returns a sentence for each broken rule of an order or its place. */
export const sentencesOf = (...facts: Parameters<typeof problemsOf<'order' | 'place'>>): Sentence[] =>
  problemsOf(...facts).map(partsOf);

/** Returns the pause that has not ended, if there is one. @param now ms since 1970 */
export function pauseOf(
  store: StoreTerms,
  now: number,
): (Sentence & { from: number; until: number }) | undefined {
  const from = startOfDay(store.pause.from) || 0;
  const until = startOfDay(store.pause.until) + DAY_MS;
  const [problem] = problemsOf(
    'order',
    { store, items: [], subtotal: Number.POSITIVE_INFINITY },
    Math.max(now, from),
  );
  return problem && now < until ? { ...partsOf(problem), from, until } : undefined;
}
