import { forgetOrders } from '#scripts/api/orders/personal-orders.ts';
import { readReturnDays } from '#scripts/api/orders/returns/return-days.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { forever } from '#scripts/program/forever.ts';

const HOUR = 60 * 60 * 1_000;

/** Takes the names out of the orders of deleted accounts for which nothing is left to do. */
export async function forgetOld(shop: Shop): Promise<void> {
  const { db, clock, log } = shop;
  const orders = await forgetOrders(db, clock(), () => readReturnDays(shop));
  if (orders > 0) log('info', 'addresses of deleted accounts were forgotten', { orders });
}

/** Forgets once an hour until the returned function is called, which resolves when the last round has ended. */
export const forgetForever = (shop: Shop): (() => Promise<void>) =>
  forever(
    () => forgetOld(shop),
    () => HOUR,
    (error) => shop.log('warn', 'old data could not be forgotten', { error: String(error) }),
  );
