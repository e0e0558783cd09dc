import { setImmediate as nextTurn } from 'node:timers/promises';
import * as v from 'valibot';
import { NEW_ORDER } from '#domain/new-order.ts';
import { STATUSES } from '#domain/order-status.ts';
import { columnsOf } from '#server/db/columns.ts';
import type { Database, Reader, Transaction } from '#server/db/database.ts';
import { type PaymentRecord, paymentsOf } from '#server/payments/admin/payment-records.ts';
import { isoTime } from '#server/process/clock.ts';
import { returnEnd } from './returns/stored-returns.ts';
import { ORDER_ROW, type StoredOrder, toOrderDtos } from './stored-orders.ts';

const DAY = 24 * 60 * 60 * 1_000;

/** An order that nobody has paid for so long will not be paid any more, in ms. */
const PAYABLE = 30 * DAY;

const OrderRowSchema = v.object(ORDER_ROW);

const ORDER = `SELECT ${columnsOf(ORDER_ROW)} FROM orders`;

const ORDERS_PER_BATCH = 20;

const exportPayment = ({
  provider,
  method,
  state,
  amountPaise,
  createdAt,
  changedAt,
  events,
}: PaymentRecord) => ({
  provider,
  method,
  state,
  amountPaise,
  createdAt: isoTime(createdAt),
  changedAt: isoTime(changedAt),
  events: events.map(({ state: became, at }) => ({ state: became, at: isoTime(at) })),
});

/** All orders of a customer with their payments, as the file of everything about a person has them. */
export async function* exportOrders(db: Reader, customerId: string): AsyncGenerator<object> {
  for (let after = -1; ; ) {
    const orders = await db.all(
      OrderRowSchema,
      `${ORDER} WHERE customer_id = ? AND number > ? ORDER BY number LIMIT ?`,
      customerId,
      after,
      ORDERS_PER_BATCH,
    );
    if (orders.length === 0) return;
    const sent = await toOrderDtos(db, orders);
    for (const [index, { number, courierNote, gstin, language }] of orders.entries()) {
      const payments = (await paymentsOf(db, number)).map(exportPayment);
      yield { ...sent[index], courierNote, gstin, language, payments };
    }
    after = orders.at(-1)?.number ?? after;
    await nextTurn();
  }
}

/** An invoice of so much, or to a business, must name the recipient (CGST Rules, rule 46). In paise. */
const NAMED_FROM = 5_000_000;

/**
 * Orders of closed accounts that still say who they were for, or have what the customer wrote. Where the invoice must name
 * the recipient, name and address stay.
 */
const TO_ERASE = `${ORDER} WHERE customer_id IN (SELECT id FROM customers WHERE closed_at IS NOT NULL)
  AND ((gstin IS NULL AND total_paise < ${NAMED_FROM} AND recipient <> '') OR phone <> '' OR courier_note IS NOT NULL
    OR EXISTS (SELECT 1 FROM returns WHERE order_number = orders.number AND (reason <> '' OR answer <> '')))
  AND NOT EXISTS (SELECT 1 FROM payments WHERE order_number = orders.number
    AND NOT EXISTS (SELECT 1 FROM payments_resolved WHERE payments_resolved.reference = payments.reference)
    AND (state IN ('flagged', 'refund_due', 'to_collect') OR (state = 'started' AND payments.created_at > ?)))
  AND NOT EXISTS (SELECT 1 FROM returns WHERE order_number = orders.number AND state NOT IN ('refused', 'refunded'))`;

/** Whether nothing is left to do with an order, so that nobody needs its address any more. */
function isOver(order: StoredOrder, now: number, returnDays: number): boolean {
  const { status, createdAt } = order;
  if (status === NEW_ORDER) return createdAt < now - PAYABLE;
  if (status !== STATUSES.delivered.code) return status === STATUSES.cancelled.code;
  return returnEnd(order, returnDays) <= now;
}

/** City, state and PIN code stay: the tax depends on where something was delivered. */
const withoutRecipient = ({ address, gstin, totalPaise }: StoredOrder): StoredOrder['address'] => ({
  ...address,
  phone: '',
  ...(gstin === null && totalPaise < NAMED_FROM ? { fullName: '', address: '' } : {}),
});

async function eraseAddress(transaction: Transaction, order: StoredOrder): Promise<void> {
  await transaction.run(
    'UPDATE orders SET address = ?, courier_note = NULL WHERE number = ?',
    JSON.stringify(withoutRecipient(order)),
    order.number,
  );
  await transaction.run("UPDATE returns SET reason = '', answer = '' WHERE order_number = ?", order.number);
}

/**
 * Takes name, address, phone and the texts of returns out of what closed accounts have ordered, once nothing is left to do
 * with the order and it can no longer be returned. Goods, amounts, dates and the place stay, as tax law
 * requires. Returns how many orders that were.
 */
export async function eraseOrders(
  db: Database,
  now: number,
  readReturnDays: () => Promise<number>,
): Promise<number> {
  const found = await db.all(OrderRowSchema, `${TO_ERASE} ORDER BY number`, now - PAYABLE);
  if (found.length === 0) return 0;
  const returnDays = await readReturnDays();
  const over = found.filter((order) => isOver(order, now, returnDays));
  for (const order of over) {
    await db.write((transaction) => eraseAddress(transaction, order));
  }
  return over.length;
}
