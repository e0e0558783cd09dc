import * as v from 'valibot';
import { PAID_ORDER } from '#domain/order-status.ts';
import type { Reader, Transaction } from '#scripts/api/db/database.ts';

/** What a payment has to know of its order. Everything else of an order belongs to the room of orders. */
export interface Payable {
  readonly number: number;
  readonly id: string;
  readonly userId: string;
  readonly status: number;
  readonly totalPaise: number;
}

const PayableRowSchema = v.object({
  number: v.number(),
  id: v.string(),
  userId: v.string(),
  status: v.number(),
  totalPaise: v.number(),
});

const PAYABLE = `SELECT number, id, user_id AS "userId", status, total_paise AS "totalPaise" FROM orders`;

export const findPayable = (db: Reader, orderId: string): Promise<Payable | undefined> =>
  db.get(PayableRowSchema, `${PAYABLE} WHERE id = ?`, orderId);

/** The same, and nobody else changes the order until the transaction ends. */
export const lockPayable = (transaction: Transaction, orderId: string): Promise<Payable | undefined> =>
  transaction.get(PayableRowSchema, `${PAYABLE} WHERE id = ? FOR NO KEY UPDATE`, orderId);

/** The order of a payment, locked until the transaction ends. */
export const lockPayableNumber = (transaction: Transaction, number: number): Promise<Payable | undefined> =>
  transaction.get(PayableRowSchema, `${PAYABLE} WHERE number = ? FOR NO KEY UPDATE`, number);

export async function markOrderPaid(transaction: Transaction, number: number): Promise<void> {
  await transaction.run('UPDATE orders SET status = ? WHERE number = ?', PAID_ORDER, number);
}
