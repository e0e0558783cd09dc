import { type CartLine, toLine } from './cart.ts';
import type { Product } from './product.ts';
import type { Wanted } from './shared-cart.ts';

/** What the catalogue answered: the product, that there is none, or nothing. */
export type Answer = Product | 'gone' | undefined;

/** What became of something wanted: a line at today's price, or why there is none. */
export type Offer =
  | { readonly kind: 'line'; readonly line: CartLine }
  | {
      readonly kind: 'gone' | 'renamed' | 'unpriced' | 'choice' | 'unknown';
      readonly id: string;
      /** As the catalogue calls it, else as whoever wants it does. */
      readonly name: string;
    };

export type Missing = Exclude<Offer, { kind: 'line' }>;

/** The choice as it is sold; the only one where there is but one. Nothing where it must be made anew. */
function choiceOf(options: readonly string[], wanted: string, needed: boolean): string | undefined {
  if (options.includes(wanted)) return wanted;
  const [only] = options;
  if (options.length === 1 && only !== undefined && wanted === '') return only;
  return wanted === '' && (options.length === 0 || !needed) ? '' : undefined;
}

/** Name, picture and price are the catalogue's; only the amount and the choice are whose who wants it. */
export function offerOf(wanted: Wanted, name: string, answer: Answer): Offer {
  const { id, quantity, selectedSize, selectedColor } = wanted;
  if (answer === undefined) return { kind: 'unknown', id, name };
  if (answer === 'gone') return { kind: 'gone', id, name };
  if (!(answer.price > 0)) return { kind: 'unpriced', id, name: answer.name };
  const size = choiceOf(answer.sizes, selectedSize, true);
  const color = choiceOf(answer.colors, selectedColor, false);
  if (size === undefined || color === undefined) return { kind: 'choice', id: answer.id, name: answer.name };
  return { kind: 'line', line: toLine(answer, { size, color, quantity }) };
}

const WORDS = {
  gone: 'is no longer sold',
  renamed: 'is sold under another name now',
  unpriced: 'has no price at the moment',
  choice: 'needs a size or a colour',
  unknown: 'could not be looked up',
} as const;

/** '“Kesar Mango” is no longer sold.' */
export const reasonOf = ({ name, kind }: Missing): string => `“${name}” ${WORDS[kind]}.`;

export const linesOf = (offers: readonly Offer[]): CartLine[] =>
  offers.flatMap((offer) => (offer.kind === 'line' ? [offer.line] : []));

export const missingOf = (offers: readonly Offer[]): Missing[] =>
  offers.flatMap((offer) => (offer.kind === 'line' ? [] : [offer]));
