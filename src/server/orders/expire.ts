import * as v from 'valibot';
import { NEW_ORDER } from '#domain/new-order.ts';
import { advanceMeta } from '#server/db/meta.ts';
import { recordChange } from '#server/admin/change-log.ts';
import { lockPaymentsOf } from '#server/payments/stored-payments.ts';
import type { Shop } from '#server/services/shop.ts';
import { isoTime } from '#server/process/clock.ts';
import { moveOrder } from './move-order.ts';
import { lockOrder } from './stored-orders.ts';

const HOUR = 60 * 60 * 1_000;

/** The row of meta with the last hour in which a process cancelled what nobody has paid. */
const EXPIRED_IN = 'expired_in';

/** How long after its start a payment may be under way at its provider, whose pages end after 30 minutes. In ms. */
const UNDER_WAY = HOUR;

/** Whom the office's log names. */
const SHOP_ITSELF = { id: null, who: 'the shop' };

const IdSchema = v.object({ id: v.string() });

/** Cancels one order, unless it was paid meanwhile, or somebody is paying it just now: then a later round does. */
const expireOrder = (shop: Shop, id: string): Promise<boolean> =>
  shop.db.write(async (transaction) => {
    const now = shop.clock();
    const payments = await lockPaymentsOf(transaction, id);
    if ((await lockOrder(transaction, id))?.status !== NEW_ORDER) return false;
    if (payments.some(({ state, createdAt }) => state === 'started' && createdAt > now - UNDER_WAY))
      return false;
    const moved = await moveOrder(transaction, shop, { id, move: 'cancel', letter: 'expired' }, (entry) =>
      recordChange(transaction, SHOP_ITSELF, now, entry),
    );
    return moved?.isDone ?? false;
  });

/** Cancels what nobody has paid in time, in one process an hour. Money that comes later goes back as for any cancelled order. */
export async function expireOrders(shop: Shop): Promise<void> {
  const { db, clock, settings, log } = shop;
  const hour = isoTime(clock()).slice(0, 'yyyy-mm-ddThh'.length);
  if (!(await db.write((transaction) => advanceMeta(transaction, EXPIRED_IN, hour)))) return;
  const due = await db.all(
    IdSchema,
    'SELECT id FROM orders WHERE status = ? AND created_at <= ? ORDER BY number',
    NEW_ORDER,
    clock() - settings.orders.payableFor,
  );
  let orders = 0;
  for (const { id } of due) orders += Number(await expireOrder(shop, id));
  if (orders > 0) log('info', 'orders that nobody has paid were cancelled', { orders });
}
