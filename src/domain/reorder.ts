import type { Rupees } from './money.ts';
import type { OrderItem } from './order.ts';
import type { Product } from './product.ts';
import { type CatalogueAnswer, outcomeOf, type RequestOutcome } from './requested-items.ts';

const plain = (name: string): string => name.trim().replace(/\s+/g, ' ').toLowerCase();

const hasName = (product: Product, name: string): boolean => plain(product.name) === plain(name);

/**
 * The product of an ordered item: the one with its id, if it still has its name, because some servers number the items
 * and not the products; else the only one of `others` with just that name.
 */
export function productOf(
  { name }: OrderItem,
  answer: CatalogueAnswer,
  others: readonly Product[] = [],
): CatalogueAnswer | 'renamed' {
  if (answer === undefined) return undefined;
  if (answer !== 'gone' && (name === '' || hasName(answer, name))) return answer;
  const [found, second] = others.filter((other) => hasName(other, name));
  if (found && !second) return found;
  return answer === 'gone' ? 'gone' : 'renamed';
}

/** What can be had today of an ordered item. An order keeps no size or colour: a product with several is asked for. */
export function outcomeOfReorder(item: OrderItem, found: ReturnType<typeof productOf>): RequestOutcome {
  const { id, name, quantity } = item;
  if (found === 'renamed') return { kind: 'renamed', id, name };
  return outcomeOf({ id, quantity, selectedSize: '', selectedColor: '' }, name || id, found);
}

export interface Repriced {
  readonly name: string;
  readonly was: Rupees;
  readonly now: Rupees;
}

/** What costs something else today than it did in the order. */
export const repricedOf = (items: readonly OrderItem[], outcomes: readonly RequestOutcome[]): Repriced[] =>
  outcomes.flatMap((outcome, index) => {
    const was = items[index]?.price;
    if (outcome.kind !== 'line' || was === undefined || was === outcome.line.price) return [];
    return [{ name: outcome.line.name, was, now: outcome.line.price }];
  });
