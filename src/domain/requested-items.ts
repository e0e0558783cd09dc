import { availabilityOf, isBuyable } from './buying/availability.ts';
import { problemsOf, sentenceOf } from './buying/rules.ts';
import { type CartLine, toLine } from './cart.ts';
import type { Product } from './product.ts';
import type { RequestedItem } from './shared-cart.ts';

/** The product, 'discontinued' if the catalogue has no such id, or undefined if the request failed. */
export type CatalogueAnswer = Product | 'discontinued' | undefined;

export interface UnavailableItem {
  readonly id: string;
  /** The name in the catalogue, else the name in the order or, for a shared cart, the id. */
  readonly name: string;
  /** Why the item cannot be added, as a sentence with its name. */
  readonly reason: string;
  /** Whether the product has a page that may help. */
  readonly hasPage: boolean;
  /** Whether another try may succeed. */
  readonly isUnknown: boolean;
}

/** A cart line at today's price, or why the item cannot be added. */
export type RequestOutcome = { readonly line: CartLine } | UnavailableItem;

export const unavailable = (
  { id, name }: { readonly id: string; readonly name: string },
  why: string,
  answer: CatalogueAnswer,
): UnavailableItem => ({
  id,
  name,
  reason: `“${name}” ${why}.`,
  hasPage: answer !== 'discontinued',
  isUnknown: answer === undefined,
});

/** Returns the requested option, or the only one. Returns undefined if the shopper must choose again. */
function choiceOf(options: readonly string[], requested: string, needed: boolean): string | undefined {
  if (options.includes(requested)) return requested;
  const [only] = options;
  if (options.length === 1 && only !== undefined && requested === '') return only;
  return requested === '' && (options.length === 0 || !needed) ? '' : undefined;
}

/**
 * Takes the quantity and the options from the request, everything else from the catalogue. Of a product that is sold, the
 * cart says how many can be ordered.
 */
export function outcomeOf(
  requested: RequestedItem,
  name: string,
  answer: CatalogueAnswer,
  now: number,
): RequestOutcome {
  const { id, quantity, selectedSize, selectedColor } = requested;
  if (answer === undefined) return unavailable({ id, name }, 'could not be looked up', answer);
  const product = answer === 'discontinued' ? { id, name, sizes: [], colors: [] } : answer;
  const size = choiceOf(product.sizes, selectedSize, true);
  const color = choiceOf(product.colors, selectedColor, false);
  if (!isBuyable(availabilityOf(answer, now, size))) {
    const facts = {
      name: product.name,
      product: answer,
      size: size ?? '',
      color: '',
      quantity,
      pieces: quantity,
      piecesOfSize: quantity,
    };
    const [problem] = problemsOf('line', facts, now);
    return {
      ...unavailable(product, 'is sold out', answer),
      ...(problem && { reason: sentenceOf(problem) }),
    };
  }
  if (size === undefined || color === undefined || answer === 'discontinued')
    return unavailable(product, 'needs a size or a colour', answer);
  return { line: toLine(answer, { size, color, quantity }) };
}

export const availableLines = (outcomes: readonly RequestOutcome[]): CartLine[] =>
  outcomes.flatMap((outcome) => ('line' in outcome ? [outcome.line] : []));

export const unavailableItems = (outcomes: readonly RequestOutcome[]): UnavailableItem[] =>
  outcomes.flatMap((outcome) => ('line' in outcome ? [] : [outcome]));
