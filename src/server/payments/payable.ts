import * as v from 'valibot';
import { NEW_ORDER } from '#domain/new-order.ts';
import { PAID_ORDER } from '#domain/order-status.ts';
import { appended } from '#server/db/columns.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import type { OrderExtras } from './payment-fields.ts';

const PayableRowSchema = v.object({
  number: v.number(),
  id: v.string(),
  customerId: v.string(),
  status: v.number(),
  createdAt: v.number(),
  totalPaise: v.number(),
  language: v.nullable(v.string()),
  address: v.pipe(v.string(), v.parseJson(), v.object({ postalCode: v.string(), phone: v.string() })),
});

/** The fields of an order that payments need. Everything else belongs to the module of orders. */
export type Payable = v.InferOutput<typeof PayableRowSchema>;

const PAYABLE = `SELECT number, id, customer_id AS "customerId", status, created_at AS "createdAt", total_paise AS "totalPaise", language, address FROM orders`;

export const findPayable = (db: Reader, orderId: string): Promise<Payable | undefined> =>
  db.get(PayableRowSchema, `${PAYABLE} WHERE id = ?`, orderId);

/** The newest order of a customer that can still be paid. */
export const newestPayable = (db: Reader, customerId: string): Promise<Payable | undefined> =>
  db.get(
    PayableRowSchema,
    `${PAYABLE} WHERE customer_id = ? AND status = ? ORDER BY number DESC LIMIT 1`,
    customerId,
    NEW_ORDER,
  );

/** Locks the order until the transaction ends. */
export const lockPayable = (transaction: Transaction, orderId: string): Promise<Payable | undefined> =>
  transaction.get(PayableRowSchema, `${PAYABLE} WHERE id = ? FOR NO KEY UPDATE`, orderId);

export const findPayableByNumber = (db: Reader, number: number): Promise<Payable | undefined> =>
  db.get(PayableRowSchema, `${PAYABLE} WHERE number = ?`, number);

/** Locks the order until the transaction ends. */
export const lockPayableByNumber = (transaction: Transaction, number: number): Promise<Payable | undefined> =>
  transaction.get(PayableRowSchema, `${PAYABLE} WHERE number = ? FOR NO KEY UPDATE`, number);

/** Overwrites what an earlier payment of this order entered. */
export async function storeExtras(
  transaction: Transaction,
  number: number,
  { courierNote, gstin }: OrderExtras,
): Promise<void> {
  await transaction.run(
    'UPDATE orders SET courier_note = ?, gstin = ? WHERE number = ?',
    courierNote,
    gstin,
    number,
  );
}

/** Sets the status, and appends it to the events. @param now ms since 1970 */
export const setStatus = (
  transaction: Transaction,
  number: number,
  status: number,
  now: number,
): Promise<number> =>
  transaction.run(
    'UPDATE orders SET status = ?, events = events || ? WHERE number = ?',
    status,
    appended({ status, at: now }),
    number,
  );

/** For an order that is paid, or will be paid on delivery. */
export const confirmOrder = (transaction: Transaction, number: number, now: number): Promise<number> =>
  setStatus(transaction, number, PAID_ORDER, now);
