import { sql } from 'kysely';
import * as v from 'valibot';
import { BEFORE_FIRST_ORDER } from '#domain/order-number.ts';
import { NEW_ORDER } from '#domain/order-status.ts';
import { appended, json } from '#server/db/columns.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { prepared, q, type RowOf } from '#server/db/query.ts';

/** The number for people, as `shownNumber` of the domain returns it. */
export const SHOWN_NUMBER =
  sql<string>`orders.prefix || (orders.number + ${sql.lit(BEFORE_FIRST_ORDER)}) || '-' || orders.suffix`.as(
    'shownNumber',
  );

const PAYABLE = q
  .selectFrom('orders')
  .select(['number', 'id', 'customerId', 'status', 'createdAt', 'totalPaise', 'language', 'address'])
  .select(SHOWN_NUMBER);

const PAYABLE_JSON = { address: json(v.object({ postalCode: v.string(), phone: v.string() })) };

/** The fields of an order that payments need. Everything else belongs to the module of orders. */
export type Payable = RowOf<typeof PAYABLE, typeof PAYABLE_JSON>;

export const findPayable = (db: Reader, orderId: string): Promise<Payable | undefined> =>
  db.row(PAYABLE.where('id', '=', orderId), PAYABLE_JSON);

/** '+' makes SQLite search the customer's orders, not all new orders of the shop. */
const NEWEST = prepared(({ customerId }: { customerId: string }) =>
  PAYABLE.where('customerId', '=', customerId)
    .where(sql<boolean>`+status = ${NEW_ORDER}`)
    .orderBy('number', 'desc')
    .limit(1),
);

/** The newest order of a customer that can still be paid. */
export const newestPayable = (db: Reader, customerId: string): Promise<Payable | undefined> =>
  db.row(NEWEST({ customerId }), PAYABLE_JSON);

/** Locks the order until the transaction ends. */
export const lockPayable = (transaction: Transaction, orderId: string): Promise<Payable | undefined> =>
  transaction.row(PAYABLE.where('id', '=', orderId).forNoKeyUpdate(), PAYABLE_JSON);

export const setToConfirm = (transaction: Transaction, id: string, toConfirm: 0 | 1): Promise<number> =>
  transaction.run(q.updateTable('orders').set({ toConfirm }).where('id', '=', id));

const SET_STATUS = prepared(({ number, status, event }: { number: number; status: number; event: string }) =>
  q
    .updateTable('orders')
    .set({ status, events: sql`events || ${event}` })
    .where('number', '=', number),
);

/** Sets the status, and appends it to the events. @param now ms since 1970 @param more of the event */
export const setStatus = (
  transaction: Transaction,
  number: number,
  status: number,
  now: number,
  more: object = {},
): Promise<number> =>
  transaction.run(SET_STATUS({ number, status, event: appended({ status, at: now, ...more }) }));
