import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { NEW_ORDER, STATUSES } from '#domain/order-status.ts';
import type { Database, Reader, Transaction } from '#server/db/database.ts';
import { q } from '#server/db/query.ts';
import { toOrderDtos } from '#server/fulfilment/shown-orders.ts';
import { ERASED_EXTRAS, extrasOf, NAMING_EXTRAS } from '#server/orders/order-extras.ts';
import { apiStatus, ORDER, ORDER_JSON, type StoredOrder, updateOrder } from '#server/orders/stored-orders.ts';
import { type Payment, paymentsOf } from '#server/payments/stored-payments.ts';
import { DAY, isoTime } from '#server/process/clock.ts';
import { returnEnd } from './returns/stored-returns.ts';

/** After so long an unpaid order counts as abandoned, in ms. */
const ABANDONED_AFTER = 30 * DAY;

const ORDERS_PER_BATCH = 20;

function exportPayment({ createdAt, changedAt, events, ...payment }: Payment) {
  const { provider, method, state, amountPaise } = payment;
  const times = { createdAt: isoTime(createdAt), changedAt: isoTime(changedAt) };
  const history = events.map((event) => ({ ...event, at: isoTime(event.at) }));
  return { provider, method, state, amountPaise, ...times, events: history };
}

/** All orders of a customer with their payments, for the export of the customer's data. */
export async function* exportOrders(db: Reader, customerId: string): AsyncGenerator<object> {
  for (let after = -1; ; ) {
    const later = ORDER.where('customerId', '=', customerId).where('number', '>', after);
    const orders = await db.rows(later.orderBy('number').limit(ORDERS_PER_BATCH), ORDER_JSON);
    if (orders.length === 0) return;
    const sent = await toOrderDtos(db, orders);
    const numbers = orders.map(({ number }) => number);
    const extras = await extrasOf(db, numbers);
    for (const [index, { number, language }] of orders.entries()) {
      const payments = (await paymentsOf(db, number)).map(exportPayment);
      yield { ...sent[index], extras: Object.fromEntries(extras.get(number) ?? []), language, payments };
    }
    after = orders.at(-1)?.number ?? after;
    await nextTurn();
  }
}

/** From this total on, or to a business, an invoice must name the recipient (CGST Rules, rule 46). Units: paise. */
const NAMED_FROM = 5_000_000;

const hasExtra = (names: readonly string[]) =>
  sql`EXISTS (SELECT 1 FROM order_extras WHERE order_number = orders.number AND name IN (${sql.join(names)}))`;

/**
 * Orders of closed accounts that still hold personal data. Name and address stay if the invoice must name the
 * recipient.
 */
const toErase = (startedAfter: number) =>
  ORDER.where(sql<boolean>`customer_id IN (SELECT id FROM customers WHERE closed_at IS NOT NULL)
  AND ((NOT ${hasExtra(NAMING_EXTRAS)} AND total_paise < ${NAMED_FROM} AND recipient <> '') OR phone <> ''
    OR ${hasExtra(ERASED_EXTRAS)}
    OR EXISTS (SELECT 1 FROM returns WHERE order_number = orders.number AND (reason <> '' OR answer <> '')))
  AND NOT EXISTS (SELECT 1 FROM payments WHERE order_number = orders.number
    AND resolved_at IS NULL
    AND (state IN ('flagged', 'refund_due', 'to_collect') OR (state = 'started' AND payments.created_at > ${startedAfter})))
  AND NOT EXISTS (SELECT 1 FROM refunds JOIN payments USING (reference) WHERE order_number = orders.number
    AND refunds.state IN ('disputed', 'under_review'))
  AND NOT EXISTS (SELECT 1 FROM returns WHERE order_number = orders.number AND state NOT IN ('refused', 'refunded'))`);

/** Whether the order is complete, so that its address is no longer needed. */
function isOver(order: StoredOrder, now: number, returnDays: number): boolean {
  const { status, createdAt } = order;
  if (status === NEW_ORDER) return createdAt < now - ABANDONED_AFTER;
  if (status !== STATUSES.delivered.code) return apiStatus(status) === STATUSES.cancelled.code;
  return returnEnd(order, returnDays) <= now;
}

async function eraseAddress(transaction: Transaction, order: StoredOrder): Promise<void> {
  const extras = (await extrasOf(transaction, [order.number])).get(order.number);
  const isNamed = order.totalPaise >= NAMED_FROM || NAMING_EXTRAS.some((name) => extras?.has(name));
  // City, state and PIN code stay: the tax depends on the place of delivery.
  const address = { ...order.address, phone: '', ...(isNamed ? {} : { fullName: '', address: '' }) };
  await updateOrder(transaction, order.number, { address });
  const ofOrder = q.deleteFrom('orderExtras').where('orderNumber', '=', order.number);
  await transaction.run(ofOrder.where('name', 'in', ERASED_EXTRAS));
  await transaction.run(
    q.updateTable('returns').set({ reason: '', answer: '' }).where('orderNumber', '=', order.number),
  );
  const payments = q.selectFrom('payments').select('reference').where('orderNumber', '=', order.number);
  await transaction.run(q.updateTable('refunds').set({ reason: '' }).where('reference', 'in', payments));
  await transaction.run(
    q.updateTable('payments').set({ note: null }).where('orderNumber', '=', order.number),
  );
}

/**
 * Erases name, address, phone, extras and the texts of returns, refunds and payments from orders of closed accounts. An order must be complete and
 * past its return period. Goods, amounts, dates and the place stay, as tax law requires. Returns the number of
 * orders.
 */
export async function eraseOrders(
  db: Database,
  now: number,
  readReturnDays: () => Promise<number>,
): Promise<number> {
  const found = await db.rows(toErase(now - ABANDONED_AFTER).orderBy('number'), ORDER_JSON);
  if (found.length === 0) return 0;
  const returnDays = await readReturnDays();
  const over = found.filter((order) => isOver(order, now, returnDays));
  for (const order of over) {
    await db.write((transaction) => eraseAddress(transaction, order));
  }
  return over.length;
}
