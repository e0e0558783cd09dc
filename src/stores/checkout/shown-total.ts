import { listOf, parseJson } from '#domain/json.ts';
import type { Paise } from '#domain/money.ts';
import { tabStorage } from '#stores/shell/storage.ts';

/*
 * The total of the cart when the order was placed, for the payment page of this tab. The order may cost more: prices
 * may have risen at that moment, or today's prices could not be loaded.
 */
const KEY = 'shown-total';

export const storeShownTotal = (orderId: string, total: Paise): void =>
  tabStorage.write(KEY, JSON.stringify([orderId, total]));

/** Returns undefined if the stored total belongs to another order. Units: paise. */
export function readShownTotal(orderId: string): Paise | undefined {
  const [id, total] = listOf(parseJson(tabStorage.read(KEY)));
  return id === orderId && typeof total === 'number' ? total : undefined;
}
