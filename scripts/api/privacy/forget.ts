import * as v from 'valibot';
import { forgetOrders } from '#scripts/api/orders/personal-orders.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { forever } from '#scripts/program/forever.ts';
import { STORE_DEFAULTS } from '#site.ts';

const HOUR = 60 * 60 * 1_000;

const ReturnsSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ returnDays: v.nullish(v.number(), STORE_DEFAULTS.returnDays) }),
);

/** Takes the names out of the orders of deleted accounts for which nothing is left to do. */
export async function forgetOld({ db, clock, catalogue, log }: Shop): Promise<void> {
  const readReturnDays = async () => v.parse(ReturnsSchema, (await catalogue()).storeInfo).returnDays;
  const orders = await forgetOrders(db, clock(), readReturnDays);
  if (orders > 0) log('info', 'addresses of deleted accounts were forgotten', { orders });
}

/** Forgets once an hour until the returned function is called, which resolves when the last round has ended. */
export const forgetForever = (shop: Shop): (() => Promise<void>) =>
  forever(
    () => forgetOld(shop),
    () => HOUR,
    (error) => shop.log('warn', 'old data could not be forgotten', { error: String(error) }),
  );
