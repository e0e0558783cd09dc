import { type CartLine, toLine } from './cart.ts';
import type { Product } from './product.ts';
import type { RequestedItem } from './shared-cart.ts';

/** The product, 'discontinued' if the catalogue has no such id, or undefined if the request failed. */
export type CatalogueAnswer = Product | 'discontinued' | undefined;

/** A cart line at today's price, or why the item cannot be added. */
export type RequestOutcome =
  | { readonly kind: 'line'; readonly line: CartLine }
  | {
      readonly kind: 'discontinued' | 'renamed' | 'unpriced' | 'choice' | 'unknown';
      readonly id: string;
      /** The name in the catalogue, else in the order; for a shared cart, the id. */
      readonly name: string;
    };

export type UnavailableItem = Exclude<RequestOutcome, { kind: 'line' }>;

/** Returns the requested option, or the only one. Returns undefined if the shopper must choose again. */
function choiceOf(options: readonly string[], requested: string, needed: boolean): string | undefined {
  if (options.includes(requested)) return requested;
  const [only] = options;
  if (options.length === 1 && only !== undefined && requested === '') return only;
  return requested === '' && (options.length === 0 || !needed) ? '' : undefined;
}

/** Uses the quantity and the options of the request, and everything else of the catalogue. */
export function outcomeOf(requested: RequestedItem, name: string, answer: CatalogueAnswer): RequestOutcome {
  const { id, quantity, selectedSize, selectedColor } = requested;
  if (answer === undefined) return { kind: 'unknown', id, name };
  if (answer === 'discontinued') return { kind: 'discontinued', id, name };
  if (!(answer.price > 0)) return { kind: 'unpriced', id, name: answer.name };
  const size = choiceOf(answer.sizes, selectedSize, true);
  const color = choiceOf(answer.colors, selectedColor, false);
  if (size === undefined || color === undefined) return { kind: 'choice', id: answer.id, name: answer.name };
  return { kind: 'line', line: toLine(answer, { size, color, quantity }) };
}

const WORDS = {
  discontinued: 'is no longer sold',
  renamed: 'is sold under another name now',
  unpriced: 'has no price at the moment',
  choice: 'needs a size or a colour',
  unknown: 'could not be looked up',
} as const;

export const unavailableReason = ({ name, kind }: UnavailableItem): string => `“${name}” ${WORDS[kind]}.`;

export const availableLines = (outcomes: readonly RequestOutcome[]): CartLine[] =>
  outcomes.flatMap((outcome) => (outcome.kind === 'line' ? [outcome.line] : []));

export const unavailableItems = (outcomes: readonly RequestOutcome[]): UnavailableItem[] =>
  outcomes.flatMap((outcome) => (outcome.kind === 'line' ? [] : [outcome]));
