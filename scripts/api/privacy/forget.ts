import { advanceMeta } from '#scripts/api/db/meta.ts';
import { forgetOrders } from '#scripts/api/orders/personal-orders.ts';
import { readReturnDays } from '#scripts/api/orders/returns/return-days.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { isoTime } from '#scripts/program/clock.ts';
import { forever } from '#scripts/program/forever.ts';
import { forgetRows } from './retention.ts';

const HOUR = 60 * 60 * 1_000;

/** The name of the row of meta with the last hour in which a process deleted what was kept long enough. */
const FORGOT_IN = 'forgot_in';

/**
 * Deletes what has been kept long enough, in one process an hour, and takes the names out of the orders of deleted accounts
 * for which nothing is left to do.
 */
export async function forgetOld(shop: Shop): Promise<void> {
  const { db, clock, log } = shop;
  const hour = isoTime(clock()).slice(0, 'yyyy-mm-ddThh'.length);
  const rows = await db.write(async (transaction) =>
    (await advanceMeta(transaction, FORGOT_IN, hour)) ? forgetRows(transaction, clock()) : 0,
  );
  if (rows > 0) log('info', 'what was kept long enough was deleted', { rows });
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
