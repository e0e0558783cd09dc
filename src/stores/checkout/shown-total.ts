import type { Paise } from '#domain/money.ts';
import { tabStorage } from '#stores/shell/storage.ts';

/*
 * What the cart came to when it was ordered, for the order's payment in this tab: the shop may charge more, where its
 * prices rose in that moment, or nobody could say them (faults 67).
 */
const KEY = 'shown-total';

export const keepShownTotal = (orderId: string, total: Paise): void =>
  tabStorage.write(KEY, JSON.stringify([orderId, total]));

/** Nothing for another order. */
export function readShownTotal(orderId: string): Paise | undefined {
  try {
    const kept: unknown = JSON.parse(tabStorage.read(KEY) ?? 'null');
    if (!Array.isArray(kept) || kept[0] !== orderId) return undefined;
    return typeof kept[1] === 'number' ? kept[1] : undefined;
  } catch {
    return undefined;
  }
}
