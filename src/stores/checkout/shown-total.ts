import type { Paise } from '#domain/money.ts';
import { tabStorage } from '#stores/shell/storage.ts';

/*
 * The total of the cart when it was ordered, for the payment page in this tab. The order may cost more, if prices rose
 * at that moment or today's prices could not be loaded.
 */
const KEY = 'shown-total';

export const storeShownTotal = (orderId: string, total: Paise): void =>
  tabStorage.write(KEY, JSON.stringify([orderId, total]));

/** The total, or undefined if it belongs to another order. */
export function readShownTotal(orderId: string): Paise | undefined {
  try {
    const stored: unknown = JSON.parse(tabStorage.read(KEY) ?? 'null');
    if (!Array.isArray(stored) || stored[0] !== orderId) return undefined;
    return typeof stored[1] === 'number' ? stored[1] : undefined;
  } catch {
    return undefined;
  }
}
