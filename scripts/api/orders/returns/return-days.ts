import { indianDay, startOfIndianDay } from '#domain/date.ts';
import { STATUSES } from '#domain/order-status.ts';
import { senderOf } from '#scripts/api/letters/sender.ts';
import type { SentOrder } from '#scripts/api/orders/schema.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { isoTime } from '#scripts/program/clock.ts';

/** For how many days an order may be returned after it was delivered. 0 is not at all. */
export const readReturnDays = async (shop: Pick<Shop, 'catalogue'>): Promise<number> =>
  (await senderOf(shop)).returnDays;

/** The fields of an order that decide until when it may be returned. Times are ms since 1970. */
interface Returnable {
  readonly status: number;
  readonly createdAt: number;
  readonly events: readonly { readonly status: number; readonly at: number }[];
}

/** When the days are over in which a delivered order may be returned: the end of a day in India, in ms since 1970. */
export function returnEnd({ events, createdAt }: Omit<Returnable, 'status'>, returnDays: number): number {
  const deliveredAt = events.findLast(({ status }) => status === STATUSES.delivered.wire)?.at ?? createdAt;
  return returnDays === 0 ? deliveredAt : startOfIndianDay(indianDay(deliveredAt) + returnDays + 1);
}

/** Returns a function that says until when the shopper may ask for a return of an order, where that is possible now. */
export async function readReturnUntil(
  shop: Pick<Shop, 'catalogue' | 'clock'>,
): Promise<(order: Returnable) => Pick<SentOrder, 'returnUntil'>> {
  const days = await readReturnDays(shop);
  const now = shop.clock();
  return (order) => {
    const end = order.status === STATUSES.delivered.wire ? returnEnd(order, days) : 0;
    return now < end ? { returnUntil: isoTime(end - 1) } : {};
  };
}
