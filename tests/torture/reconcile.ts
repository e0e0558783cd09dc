import { sql } from 'kysely';
import * as v from 'valibot';
import type { Reader } from '#server/db/database.ts';
import type { RowOf } from '#server/db/query.ts';
import { ORDER_JSON } from '#server/orders/stored-orders.ts';
import { allRows, countRows } from '#tests/server/support/rows.ts';
import type { Attempt } from './shoppers.ts';

export type Counts = Readonly<Record<string, number>>;

export interface Verdict {
  readonly counted: Counts;
  /** Each must be 0. */
  readonly wrong: Counts;
}

/** An order with the quantity and the price of its items; null if it has none. */
const STORED = sql<{
  id: string;
  totalPaise: number;
  amounts: string;
  quantity: number | null;
  itemsPaise: number | null;
}>`
  SELECT id, total_paise AS "totalPaise", amounts, quantity, "itemsPaise" FROM orders LEFT JOIN (
    SELECT order_number, CAST(sum(quantity) AS BIGINT) AS quantity, CAST(sum(quantity * unit_paise) AS BIGINT) AS "itemsPaise"
      FROM order_items GROUP BY order_number
  ) AS items ON order_number = number`;
const STORED_JSON = { amounts: ORDER_JSON.amounts };
const AnswerSchema = v.object({ answer: v.pipe(v.string(), v.parseJson(), v.object({ id: v.string() })) });

/** The stock of each product at first. */
export const PIECES = 1_000_000;

const countIds = (ids: Iterable<string>, isWrong: (id: string) => boolean): number =>
  [...ids].filter(isWrong).length;

/** Whether the amounts add up to the total, and the items to the subtotal. */
function addsUp({
  itemsPaise,
  amounts: lines,
  totalPaise: total,
}: RowOf<typeof STORED, typeof STORED_JSON>): boolean {
  const subtotal = lines.find(({ id }) => id === 'subtotal')?.paise;
  return lines.reduce((sum, { paise }) => sum + paise, 0) === total && (itemsPaise ?? subtotal) === subtotal;
}

/**
 * Checks every acknowledged order against the database and GET /orders, and looks for rows without a request.
 * @param listed the ids of all orders in the shoppers' GET /orders
 */
export async function reconcile(
  db: Reader,
  attempts: readonly Attempt[],
  listed: ReadonlySet<string>,
): Promise<Verdict> {
  const orders = await db.rows(STORED, STORED_JSON);
  const stored = new Map(orders.map(({ id, quantity }) => [id, quantity]));
  const answers = await allRows(db, AnswerSchema, 'SELECT answer FROM order_keys');
  const withKey = new Set(answers.map(({ answer }) => answer.id));
  const acknowledged = attempts.filter(({ answered }) => answered.size > 0);
  const acknowledgedQuantities = new Map(
    acknowledged.flatMap(({ answered, quantity }) => [...answered].map((id) => [id, quantity])),
  );
  return {
    counted: {
      'attempts to order': attempts.length,
      acknowledged: acknowledged.length,
      'orders in the database': stored.size,
    },
    wrong: {
      'acknowledged orders lost': countIds(acknowledgedQuantities.keys(), (id) => !stored.has(id)),
      'acknowledged orders missing in GET /orders': countIds(
        acknowledgedQuantities.keys(),
        (id) => !listed.has(id),
      ),
      'attempts with more than one order': acknowledged.filter(({ answered }) => answered.size > 1).length,
      'more orders than attempts': Math.max(stored.size - attempts.length, 0),
      'orders that were never acknowledged': countIds(stored.keys(), (id) => !acknowledgedQuantities.has(id)),
      'orders with a wrong quantity': countIds(
        acknowledgedQuantities.keys(),
        (id) => stored.has(id) && stored.get(id) !== acknowledgedQuantities.get(id),
      ),
      'orders without items': await countRows(
        db,
        'orders WHERE NOT EXISTS (SELECT 1 FROM order_items WHERE order_number = number)',
      ),
      'items without an order': await countRows(
        db,
        'order_items WHERE NOT EXISTS (SELECT 1 FROM orders WHERE number = order_number)',
      ),
      'orders without their key': countIds(stored.keys(), (id) => !withKey.has(id)),
      'keys without their order': countIds(withKey, (id) => !stored.has(id)),
      'products whose stock is not what was not sold': await countRows(
        db,
        `stock WHERE pieces + (
           SELECT coalesce(sum(quantity), 0) FROM order_items WHERE order_items.product_id = stock.product_id
         ) <> ${PIECES}`,
      ),
      'orders that do not add up': orders.filter((order) => !addsUp(order)).length,
    },
  };
}
