import * as v from 'valibot';
import { NEW_ORDER } from '#domain/new-order.ts';
import { recordChange } from '#server/admin/change-log.ts';
import { advanceMeta } from '#server/db/meta.ts';
import { lockPaymentsOf } from '#server/payments/stored-payments.ts';
import { isoTime } from '#server/process/clock.ts';
import type { Services } from '#server/services/services.ts';
import { applyTransition } from './apply-transition.ts';
import { lockOrder } from './stored-orders.ts';

const HOUR = 60 * 60 * 1_000;

/** The row of meta with the last hour in which a process cancelled what nobody has paid. */
const EXPIRED_HOUR = 'expired_hour';

/** How long after its start a payment may be under way at its provider, whose pages end after 30 minutes. In ms. */
const PROVIDER_PAGE_MS = HOUR;

/** Whom the admin's log names. */
const SYSTEM = { id: null, who: 'the shop' };

const IdSchema = v.object({ id: v.string() });

/** Cancels one order, unless it was paid meanwhile, or somebody is paying it just now: then a later round does. */
const expireOrder = (services: Services, id: string): Promise<boolean> =>
  services.db.write(async (transaction) => {
    const now = services.clock();
    const payments = await lockPaymentsOf(transaction, id);
    if ((await lockOrder(transaction, id))?.status !== NEW_ORDER) return false;
    if (payments.some(({ state, createdAt }) => state === 'started' && createdAt > now - PROVIDER_PAGE_MS))
      return false;
    const result = await applyTransition(
      transaction,
      services,
      { id, transition: 'cancel', email: 'expired' },
      (entry) => recordChange(transaction, SYSTEM, now, entry),
    );
    return result?.isDone ?? false;
  });

/** Cancels what nobody has paid in time, in one process an hour. Money that comes later goes back as for any cancelled order. */
export async function expireOrders(services: Services): Promise<void> {
  const { db, clock, settings, log } = services;
  const hour = isoTime(clock()).slice(0, 'yyyy-mm-ddThh'.length);
  if (!(await db.write((transaction) => advanceMeta(transaction, EXPIRED_HOUR, hour)))) return;
  const due = await db.all(
    IdSchema,
    'SELECT id FROM orders WHERE status = ? AND created_at <= ? ORDER BY number',
    NEW_ORDER,
    clock() - settings.orders.payableFor,
  );
  let orders = 0;
  for (const { id } of due) orders += Number(await expireOrder(services, id));
  if (orders > 0) log('info', 'orders that nobody has paid were cancelled', { orders });
}
