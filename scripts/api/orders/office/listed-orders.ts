import * as v from 'valibot';
import { columnsOf } from '#scripts/api/db/columns.ts';
import type { Reader, Value } from '#scripts/api/db/database.ts';
import { ORDER_ROW } from '#scripts/api/orders/stored-orders.ts';
import { type Condition, conditionsOf, type OrderFilter } from './filter.ts';

/** So many fit into a page of 20 KiB, its style sheet counted. */
export const ORDERS_A_PAGE = 15;

const RowSchema = v.object({
  ...ORDER_ROW,
  /** null where the customer's account was deleted. */
  email: v.nullable(v.string()),
  /** How many pieces, all items together. */
  pieces: v.number(),
});

/** An order in a list. */
export type ListedOrder = v.InferOutput<typeof RowSchema>;

const LISTED = `SELECT ${columnsOf(ORDER_ROW)},
  (SELECT email FROM users WHERE users.id = orders.user_id AND closed_at IS NULL) AS email,
  CAST(COALESCE((SELECT SUM(quantity) FROM order_items WHERE order_number = orders.number), 0) AS BIGINT) AS pieces FROM orders`;

function select(db: Reader, conditions: readonly Condition[], end: string, values: readonly Value[]) {
  const where = conditions.map(({ sql }) => sql).join(' AND ');
  return db.all(
    RowSchema,
    `${LISTED}${where ? ` WHERE ${where}` : ''} ${end}`,
    ...conditions.flatMap((condition) => condition.values),
    ...values,
  );
}

/** Where a page of a list begins: after the orders that are newer, or before those that are older. */
export type Place =
  | { readonly olderThan: number }
  | { readonly newerThan: number }
  | Readonly<Record<string, never>>;

export interface OrderPage {
  readonly orders: readonly ListedOrder[];
  readonly hasNewer: boolean;
  readonly hasOlder: boolean;
}

/** One page, newest first. Pages are found by the number of an order, because OFFSET reads all pages before. */
export async function listOrders(
  db: Reader,
  filter: OrderFilter,
  place: Place,
  most: number,
): Promise<OrderPage> {
  const conditions = conditionsOf(filter);
  if ('newerThan' in place) {
    const newer = [...conditions, { sql: 'number > ?', values: [place.newerThan] }];
    const found = await select(db, newer, 'ORDER BY number LIMIT ?', [most + 1]);
    return { orders: found.slice(0, most).toReversed(), hasNewer: found.length > most, hasOlder: true };
  }
  const isFirst = !('olderThan' in place);
  const older = isFirst ? conditions : [...conditions, { sql: 'number < ?', values: [place.olderThan] }];
  const found = await select(db, older, 'ORDER BY number DESC LIMIT ?', [most + 1]);
  return { orders: found.slice(0, most), hasNewer: !isFirst, hasOlder: found.length > most };
}

/** Oldest first, of those after this number. */
export const ordersAfter = (
  db: Reader,
  filter: OrderFilter,
  number: number,
  most: number,
): Promise<ListedOrder[]> =>
  select(db, [...conditionsOf(filter), { sql: 'number > ?', values: [number] }], 'ORDER BY number LIMIT ?', [
    most,
  ]);

/** Those of these ids that there are, oldest first. */
export const ordersById = (db: Reader, ids: readonly string[]): Promise<ListedOrder[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : select(db, [{ sql: `id IN (${ids.map(() => '?').join()})`, values: ids }], 'ORDER BY number', []);

const TotalsSchema = v.object({ count: v.number(), paise: v.number() });

/** How many orders a filter finds, and what they come to. */
export async function orderTotals(
  db: Reader,
  filter: OrderFilter,
): Promise<v.InferOutput<typeof TotalsSchema>> {
  const conditions = conditionsOf(filter);
  const where = conditions.map(({ sql }) => sql).join(' AND ');
  const row = await db.get(
    TotalsSchema,
    `SELECT COUNT(*) AS count, CAST(COALESCE(SUM(total_paise), 0) AS BIGINT) AS paise
     FROM orders${where ? ` WHERE ${where}` : ''}`,
    ...conditions.flatMap((condition) => condition.values),
  );
  return row ?? { count: 0, paise: 0 };
}

const CountRowSchema = v.object({ status: v.number(), count: v.number() });

/** How many orders have each status. */
export async function countByStatus(db: Reader): Promise<ReadonlyMap<number, number>> {
  const rows = await db.all(CountRowSchema, 'SELECT status, COUNT(*) AS count FROM orders GROUP BY status');
  return new Map(rows.map(({ status, count }) => [status, count]));
}
