import { type Paise, toPaise } from '#domain/money.ts';
import { returnable } from '#domain/order-return.ts';
import type { SentOrder } from '#scripts/api/orders/schema.ts';
import type { StoredReturn } from './stored-returns.ts';

const goodsOf = ({ items }: SentOrder, { lines }: Pick<StoredReturn, 'lines'>): Paise =>
  lines.reduce((sum, { line, quantity }) => sum + toPaise(items[line]?.price ?? 0) * quantity, 0);

/**
 * What goes back for a return: the price of its goods. What was paid for the delivery goes back with the last of them, when
 * everything of the order has come back. Never more than what is left of the order's total.
 * @param others the other returns of the order
 */
export function returnAmount(order: SentOrder, own: StoredReturn, others: readonly StoredReturn[]): Paise {
  const given = others.filter(({ state }) => state === 'refunded');
  const left = given.reduce((rest, other) => rest - goodsOf(order, other), toPaise(order.total));
  const isAll = returnable(order.items, [...given, own]).every((pieces) => pieces === 0);
  return isAll ? left : Math.min(goodsOf(order, own), left);
}
