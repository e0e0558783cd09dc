import * as v from 'valibot';
import { normalisePhone } from '#domain/phone.ts';
import { toAsciiDigits } from '#domain/text.ts';
import { columnsOf } from '#server/db/columns.ts';
import type { Reader, Value } from '#server/db/database.ts';
import { ORDER_ROW } from '#server/orders/stored-orders.ts';

/** All given conditions must hold. */
export interface OrderFilter {
  readonly status?: number;
  /** ms since 1970: from `from`, before `until`. */
  readonly from?: number;
  readonly until?: number;
  /** Part of the order's number, the name, the phone number, the PIN code or the email. */
  readonly text?: string;
}

export interface Condition {
  readonly sql: string;
  readonly values: readonly Value[];
}

const DAY = 24 * 60 * 60 * 1_000;

/** When a day begins in India, in ms since 1970. @param day such as '2026-01-05' */
export const startOfDay = (day: string): number => Date.parse(`${day}T00:00:00+05:30`);

/** When a day ends in India, in ms since 1970. */
export const endOfDay = (day: string): number => startOfDay(day) + DAY;

/** Only A to Z, as the database does in its search columns. */
const lowerCase = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

/**
 * A condition on a column of the index `orders_by_recipient`. `recipient > ''` makes SQLite scan the index instead of the
 * table, in a quarter of the time. It leaves out only orders whose recipient was erased.
 */
const recipientLike = (column: string, pattern: string): Condition => ({
  sql: `number IN (SELECT number FROM orders WHERE recipient > '' AND ${column} LIKE ? ESCAPE '\\')`,
  values: [pattern],
});

/** A condition for each kind of text that this may be: email, order number, phone number or its end, PIN code, name. */
function meanings(text: string): Condition[] {
  const found: Condition[] = [];
  if (text.includes('@')) {
    found.push({
      sql: "customer_id IN (SELECT id FROM customers WHERE email LIKE ? ESCAPE '\\')",
      values: [`${escaped(lowerCase(text))}%`],
    });
  }
  const id = lowerCase(text);
  if (/^[\da-f-]{4,36}$/.test(id)) {
    // 'g' sorts after every hex digit.
    found.push({ sql: 'id BETWEEN ? AND ?', values: [id, `${id}g`] });
  }
  const digits = toAsciiDigits(normalisePhone(text)).replaceAll(/[\s()+.-]/g, '');
  if (/^\d{4,15}$/.test(digits)) found.push(recipientLike('phone', `%${digits.slice(-10)}`));
  if (/^\d{6}$/.test(digits)) found.push(recipientLike('postal_code', digits));
  if (/[^\d\s()+.-]/.test(text)) found.push(recipientLike('recipient', `%${escaped(lowerCase(text))}%`));
  return found;
}

const NOTHING: Condition = { sql: '1 = 0', values: [] };

function textCondition(text: string): Condition {
  const [first = NOTHING, ...others] = meanings(text);
  const all = [first, ...others];
  return {
    sql: `(${all.map(({ sql }) => sql).join(' OR ')})`,
    values: all.flatMap(({ values }) => values),
  };
}

export function conditionsOf({ status, from, until, text = '' }: OrderFilter): Condition[] {
  return [
    ...(status === undefined ? [] : [{ sql: 'status = ?', values: [status] }]),
    ...(from === undefined ? [] : [{ sql: 'created_at >= ?', values: [from] }]),
    ...(until === undefined ? [] : [{ sql: 'created_at < ?', values: [until] }]),
    ...(text.trim() === '' ? [] : [textCondition(text.trim())]),
  ];
}

/** As many as fit into 20 KiB with the style sheet. */
export const ORDERS_PER_PAGE = 15;

const RowSchema = v.object({
  ...ORDER_ROW,
  /** null if the customer's account was deleted. */
  email: v.nullable(v.string()),
  /** The sum of all quantities. */
  pieces: v.number(),
});

export type ListedOrder = v.InferOutput<typeof RowSchema>;

const LISTED = `SELECT ${columnsOf(ORDER_ROW)},
  (SELECT email FROM customers WHERE customers.id = orders.customer_id AND closed_at IS NULL) AS email,
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

/** Where a page begins, by order number. Empty for the first page. */
export type Cursor =
  | { readonly olderThan: number }
  | { readonly newerThan: number }
  | Readonly<Record<string, never>>;

export interface OrderPage {
  readonly orders: readonly ListedOrder[];
  readonly hasNewer: boolean;
  readonly hasOlder: boolean;
}

/** One page, newest first. Paged by order number, because OFFSET reads all earlier pages. */
export async function listOrders(
  db: Reader,
  filter: OrderFilter,
  cursor: Cursor,
  most: number,
): Promise<OrderPage> {
  const conditions = conditionsOf(filter);
  if ('newerThan' in cursor) {
    const newer = [...conditions, { sql: 'number > ?', values: [cursor.newerThan] }];
    const found = await select(db, newer, 'ORDER BY number LIMIT ?', [most + 1]);
    return { orders: found.slice(0, most).toReversed(), hasNewer: found.length > most, hasOlder: true };
  }
  const isFirst = !('olderThan' in cursor);
  const older = isFirst ? conditions : [...conditions, { sql: 'number < ?', values: [cursor.olderThan] }];
  const found = await select(db, older, 'ORDER BY number DESC LIMIT ?', [most + 1]);
  return { orders: found.slice(0, most), hasNewer: !isFirst, hasOlder: found.length > most };
}

/** Oldest first, after this order number. */
export const ordersAfter = (
  db: Reader,
  filter: OrderFilter,
  number: number,
  most: number,
): Promise<ListedOrder[]> =>
  select(db, [...conditionsOf(filter), { sql: 'number > ?', values: [number] }], 'ORDER BY number LIMIT ?', [
    most,
  ]);

/** Oldest first. Unknown ids are left out. */
export const ordersById = (db: Reader, ids: readonly string[]): Promise<ListedOrder[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : select(db, [{ sql: `id IN (${ids.map(() => '?').join()})`, values: ids }], 'ORDER BY number', []);

const TotalsSchema = v.object({ count: v.number(), paise: v.number() });

/** The number of orders, and the sum of their totals in paise. */
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

export async function countByStatus(db: Reader): Promise<ReadonlyMap<number, number>> {
  const rows = await db.all(CountRowSchema, 'SELECT status, COUNT(*) AS count FROM orders GROUP BY status');
  return new Map(rows.map(({ status, count }) => [status, count]));
}
