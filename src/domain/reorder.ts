import { foldText } from './fold-text.ts';
import type { Rupees } from './money.ts';
import type { OrderItem } from './order.ts';
import type { Product } from './product.ts';
import { type CatalogueAnswer, outcomeOf, type RequestOutcome, unavailable } from './requested-items.ts';

const hasName = (product: Product, name: string): boolean => foldText(product.name) === foldText(name);

/**
 * Finds the product of an ordered item: the one with the item's id if it still has the item's name, else the only one of
 * `others` with the name. On some servers the id is the item's, not the product's.
 */
export function productOfItem(
  { name }: OrderItem,
  answer: CatalogueAnswer,
  others: readonly Product[] = [],
): CatalogueAnswer | 'renamed' {
  if (answer === undefined) return undefined;
  if (answer !== 'discontinued' && (name === '' || hasName(answer, name))) return answer;
  const [match, secondMatch] = others.filter((other) => hasName(other, name));
  if (match && !secondMatch) return match;
  return answer === 'discontinued' ? 'discontinued' : 'renamed';
}

/** The shopper chooses size and colour again if the product has several. */
export function outcomeOfReorder(
  item: OrderItem,
  product: ReturnType<typeof productOfItem>,
  now: number,
): RequestOutcome {
  const { id, name, quantity } = item;
  if (product === 'renamed')
    return { ...unavailable(item, 'is sold under another name now', undefined), isUnknown: false };
  return outcomeOf({ id, quantity, selectedSize: '', selectedColor: '' }, name || id, product, now);
}

export interface Repriced {
  readonly name: string;
  readonly was: Rupees;
  readonly now: Rupees;
}

export const repricedOf = (items: readonly OrderItem[], outcomes: readonly RequestOutcome[]): Repriced[] =>
  outcomes.flatMap((outcome, index) => {
    const was = items[index]?.price;
    if (!('line' in outcome) || was === undefined || was === outcome.line.price) return [];
    return [{ name: outcome.line.name, was, now: outcome.line.price }];
  });
