import { NEW_ORDER } from '#domain/order-status.ts';
import { type ChangeEntry, recordChange } from '#server/admin/change-log.ts';
import { mayExpire } from '#server/db/clock-watch.ts';
import { advanceMeta } from '#server/db/meta.ts';
import { q } from '#server/db/query.ts';
import { lockOrder } from '#server/orders/stored-orders.ts';
import { attemptsOf } from '#server/payments/stored-attempts.ts';
import { HOUR, hourOf, SKEW } from '#server/process/clock.ts';
import type { Services } from '#server/services/services.ts';
import { applyTransition } from './apply-transition.ts';

/** The row of `meta` with the last hour in which a process cancelled unpaid orders. */
const EXPIRED_HOUR = 'expired_hour';

/** How long after its start a payment counts as in progress, in ms. Provider pages expire after 30 minutes. */
const IN_PROGRESS_FOR = HOUR;

/** The actor in the admin's log. */
const SYSTEM = { id: null, who: 'the shop' };

/** Cancels an unpaid order. Skips one of which a part is paid, and one with a payment in progress until a later run. */
const expireOrder = (services: Services, id: string): Promise<boolean> =>
  services.db.write(async (transaction) => {
    const now = services.clock();
    const order = await lockOrder(transaction, id);
    if (order?.status !== NEW_ORDER || order.heldPaise > 0) return false;
    const attempts = await attemptsOf(transaction, order.number);
    const isRecent = (at: number) => at > now - IN_PROGRESS_FOR && at <= now + SKEW;
    if (attempts.some(({ state, createdAt }) => state === 'open' && isRecent(createdAt))) return false;
    const move = { id, transition: 'cancel', email: 'expired' } as const;
    const log = (entry: ChangeEntry) => recordChange(transaction, SYSTEM, now, entry);
    return !(await applyTransition(transaction, services, move, log)).problem;
  });

/**
 * Cancels orders that were not paid in time, once an hour across all processes. Late payments are refunded, as for
 * any cancelled order.
 */
export async function expireOrders(services: Services): Promise<void> {
  const { db, clock, settings, log } = services;
  if (!(await mayExpire(services))) return;
  const [hour, latest] = [hourOf(clock()), hourOf(clock() + SKEW)];
  if (!(await db.write((transaction) => advanceMeta(transaction, EXPIRED_HOUR, hour, latest)))) return;
  const unpaid = q.selectFrom('orders').select('id').where('status', '=', NEW_ORDER);
  const due = await db.rows(
    unpaid.where('createdAt', '<=', clock() - settings.orders.payableFor).orderBy('number'),
  );
  let orders = 0;
  for (const { id } of due) orders += Number(await expireOrder(services, id));
  if (orders > 0) log('info', 'unpaid orders cancelled', { orders });
}
