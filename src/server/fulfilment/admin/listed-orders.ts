import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import * as v from 'valibot';
import { startOfDay } from '#domain/date.ts';
import { canonicalEmail } from '#domain/email.ts';
import { searchText } from '#domain/fold-text.ts';
import { orderIdIn, parseOrderNumber } from '#domain/order-number.ts';
import { normalisePhone } from '#domain/phone.ts';
import { tidyCode } from '#domain/text.ts';
import { hasEnded, STAFF_STATUSES } from '#server/admin/order-status.ts';
import type { Reader } from '#server/db/database.ts';
import { literals, q, type RowOf, sumOf } from '#server/db/query.ts';
import type { MoneyStatus, Tables } from '#server/db/tables.ts';
import { isMoneyStatus, tidyNumber, wayName } from '#server/ledger/labels.ts';
import { NAMING_EXTRAS } from '#server/orders/order-extras.ts';
import { OPEN, ORDER, ORDER_JSON } from '#server/orders/stored-orders.ts';
import { DAY } from '#server/process/clock.ts';

/** A condition on orders. */
export type OrderFilter = Expression<SqlBool>;

const order = expressionBuilder<Tables, 'orders'>();

/** Orders for which all conditions hold; without one, every order. */
export const allOf = (...filters: readonly OrderFilter[]): OrderFilter => order.and(filters);

export const ofStatus = (status: number): OrderFilter => order('status', '=', status);

export const ofMoney = (money: MoneyStatus): OrderFilter => order('money', '=', money);

export const ofIds = (ids: readonly string[]): OrderFilter => order('id', 'in', ids);

export const inBatch = (id: string): OrderFilter =>
  order('number', 'in', q.selectFrom('batchOrders').select('orderNumber').where('batchId', '=', id));

/** @param at ms since 1970 */
export const placedSince = (at: number): OrderFilter => order('createdAt', '>=', at);

/** When a day ends in India, in ms since 1970. @param day such as '2026-01-05' */
export const endOfDay = (day: string): number => startOfDay(day) + DAY;

/** Orders of these days in India and those between. '' is no limit. */
export const placedBetween = (from: string, to: string): OrderFilter =>
  allOf(
    ...(from ? [placedSince(startOfDay(from))] : []),
    ...(to ? [order('createdAt', '<', endOfDay(to))] : []),
  );

const ENDED = Object.values(STAFF_STATUSES).flatMap(({ code }) => (hasEnded(code) ? [code] : []));

/** Orders that were cancelled, came back or were lost, or all others. */
export const thatEnded = (isMeant: boolean): OrderFilter => order('status', isMeant ? 'in' : 'not in', ENDED);

/** 1 for a cash order of an account whose email is not confirmed. An open one is not to pack yet. */
const TO_CONFIRM_COLUMN = sql<number>`CASE WHEN orders.to_confirm = 1 AND orders.status = ${sql.lit(STAFF_STATUSES.processing.code)}
  AND EXISTS (SELECT 1 FROM customers WHERE customers.id = orders.customer_id AND email_verified = 0) THEN 1 ELSE 0 END`;

/** Orders that wait for the customer's confirmation. Few orders are in the index of their column. */
export const IS_TO_CONFIRM = sql<boolean>`(orders.to_confirm = 1 AND ${TO_CONFIRM_COLUMN} = 1)`;

/** Orders that were cancelled when their parcel may have been packed. */
export const IS_TO_UNPACK = allOf(
  ofStatus(STAFF_STATUSES.cancelled.code),
  order('printedAt', 'is not', null),
);

export const isToUnpack = ({ status, printedAt }: Pick<ListedOrder, 'status' | 'printedAt'>): boolean =>
  status === STAFF_STATUSES.cancelled.code && printedAt !== null;

const NAMED = q
  .selectFrom('orderExtras')
  .select('orderNumber')
  .where('name', 'in', literals(...NAMING_EXTRAS));

/** Paid orders that asked for a GST invoice, and have none. */
export const LACKS_INVOICE = allOf(
  order('invoiceNumber', 'is', null),
  order('heldPaise', '>', 0),
  order('toPayPaise', '=', 0),
  thatEnded(false),
  order('number', 'in', NAMED),
);

const NO_DAY = 'must be a day such as 2026-01-05';

/** A day in India, or ''. */
export const DaySchema = v.pipe(
  v.string(),
  v.regex(/^(?:\d{4}-\d{2}-\d{2})?$/, NO_DAY),
  v.check((day) => day === '' || Number.isFinite(startOfDay(day)), NO_DAY),
);

/** Reads a status by its code, from a query or a form. Returns undefined for any other text. */
export const readStatus = (given: string | undefined): number | undefined =>
  Object.values(STAFF_STATUSES).find(({ code }) => String(code) === given)?.code;

const only = (text: string, filter: OrderFilter) => (value: string) => (value === text ? filter : undefined);

/** The filters that an address or a form may have, by name. A value that cannot be used gives undefined. */
const FILTERS: Readonly<Record<string, (value: string) => OrderFilter | undefined>> = {
  confirm: only('yes', IS_TO_CONFIRM),
  status(value) {
    const status = readStatus(value);
    if (status !== STAFF_STATUSES.processing.code) return status === undefined ? undefined : ofStatus(status);
    // An order that waits for a confirmation is not packed yet: it has a filter of its own.
    return allOf(ofStatus(status), sql<boolean>`${TO_CONFIRM_COLUMN} = 0`);
  },
  invoice: only('missing', LACKS_INVOICE),
  unpack: only('yes', IS_TO_UNPACK),
  money: (money) => (isMoneyStatus(money) ? ofMoney(money) : undefined),
  /** Part of the order's number, the name, the phone number, the PIN code or the email; the number of a payment or parcel. */
  text(given) {
    const text = given.trim();
    if (given.length > 200) return undefined;
    return text === '' ? allOf() : order.or(meanings(text));
  },
  day: (day) => (v.is(DaySchema, day) ? placedBetween(day, day) : undefined),
  customer: (customerId) => order('customerId', '=', customerId),
  open: only('yes', order('status', 'in', OPEN)),
  batch: inBatch,
};

/** Reads a filter, with its values as a form sends them. `isReadable` is false if any was left out. */
export function readFilter(get: (name: string) => unknown) {
  const given = Object.entries(FILTERS).flatMap(([name, read]) => {
    const value = get(name);
    return typeof value === 'string' && value !== '' ? [{ name, value, filter: read(value) }] : [];
  });
  const used = given.flatMap(({ filter, ...value }) => (filter ? [{ ...value, filter }] : []));
  return {
    filter: allOf(...used.map(({ filter }) => filter)),
    values: Object.fromEntries(used.map(({ name, value }) => [name, value])),
    isReadable: used.length === given.length,
  };
}

const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

const like = (pattern: string) => sql<string>`${pattern} ESCAPE '\\'`;

/**
 * A condition on a column of the index `orders_by_recipient`. `recipient > ''` makes SQLite scan the index instead of the
 * table, in a quarter of the time. It leaves out only orders whose recipient was erased.
 */
function recipientLike(column: 'recipient' | 'phone' | 'postalCode', pattern: string) {
  const found = q.selectFrom('orders').select('number').where('recipient', '>', '');
  return order('number', 'in', found.where(column, 'like', like(pattern)));
}

/** As many as a sentence may have, such as 'I have paid, UTR 4087 1234 5678'. */
const MAX_CODES = 8;

/** Conditions on the numbers of payments, refunds, banks and parcels that a text may have. */
function codesIn(text: string): Expression<SqlBool>[] {
  const joined = text.replaceAll(/(\d) (?=\d)/g, '$1');
  const codes = [text.replaceAll(/\s/g, ''), ...joined.split(/[\s,:;]+/), ...text.split(/[\s,:;]+/)]
    .map((code) => code.replace(/^#|[.,;]$/g, ''))
    .filter((code) => /^[\w./-]{6,80}$/.test(code) && /\d/.test(code));
  const written = new Set(
    codes
      .slice(0, MAX_CODES)
      .flatMap((code) => [code, code.toUpperCase(), code.toLowerCase(), tidyNumber(code)]),
  );
  if (written.size === 0) return [];
  const isWritten = <Table extends 'movements' | 'paymentAttempts' | 'returns'>(
    table: Table,
    ...columns: readonly (keyof Tables[Table] & string)[]
  ) => {
    const conditions = columns.map(
      (column) => sql<boolean>`${sql.ref(column)} IN (${sql.join([...written])})`,
    );
    return sql<boolean>`orders.number IN (SELECT order_number FROM ${sql.table(table)} WHERE ${sql.join(conditions, sql` OR `)})`;
  };
  return [
    isWritten('movements', 'id', 'externalId'),
    isWritten('paymentAttempts', 'reference', 'providerId', 'paymentId', 'bankReference'),
    isWritten('returns', 'tracking'),
    order('tracking', 'in', [...written]),
  ];
}

/** A condition for each kind of text that this may be: email, order number, phone number or its end, PIN code, name, payment, parcel. */
function meanings(text: string) {
  const code = tidyCode(text);
  const found = codesIn(code);
  if (code.includes('@')) {
    const isTyped = like(`${escaped(canonicalEmail(text))}%`);
    const customers = q.selectFrom('customers').select('id');
    const without = q.selectFrom('orders').select('number').where('contactEmail', 'is not', null);
    found.push(
      order('customerId', 'in', customers.where('email', 'like', isTyped)),
      order('number', 'in', without.where('contactEmail', 'like', isTyped)),
    );
  }
  const number = parseOrderNumber(text);
  if (number) {
    const isNumbered = order('number', '=', number.count);
    found.push(number.suffix ? isNumbered.and('suffix', '=', number.suffix) : isNumbered);
  }
  // 'g' sorts after every hex digit.
  const id = orderIdIn(text) ?? code.toLowerCase().replace(/^#|[.,;]$/g, '');
  if (/^[\da-f-]{4,36}$/.test(id)) found.push(order.between('id', id, `${id}g`));
  const digits = tidyCode(normalisePhone(text)).replaceAll(/[\s()+.-]/g, '');
  if (/^\d{4,15}$/.test(digits)) found.push(recipientLike('phone', `%${digits.slice(-10)}`));
  if (/^\d{6}$/.test(digits)) found.push(recipientLike('postalCode', digits));
  if (/[^\d\s()+.-]/.test(code)) found.push(recipientLike('recipient', `%${escaped(searchText(text))}%`));
  return found;
}

/** As many as fit into 20 KiB with the style sheet. */
export const ORDERS_PER_PAGE = 15;

const LISTED = ORDER.select(({ selectFrom }) => [
  'invoiceNumber',
  'invoicedOn',
  TO_CONFIRM_COLUMN.as('isToConfirm'),
  /** null if the customer's account was deleted, or an order without an account has none. */
  sql<string | null>`coalesce(contact_email, (SELECT email FROM customers
    WHERE customers.id = orders.customer_id AND closed_at IS NULL))`.as('email'),
  /** The sum of all quantities. */
  sumOf(
    selectFrom('orderItems')
      .select(({ fn }) => fn.sum('quantity').as('sum'))
      .whereRef('orderNumber', '=', 'orders.number'),
  ).as('pieces'),
  /** How the newest payment came: a provider's method, or a way of the staff. */
  sql<
    string | null
  >`(SELECT coalesce((SELECT method FROM payment_attempts WHERE reference = movements.attempt), way)
    FROM movements WHERE order_number = orders.number AND kind = 'payment' AND reverses IS NULL
    AND NOT EXISTS (SELECT 1 FROM movements AS undone WHERE undone.reverses = movements.id)
    ORDER BY recorded_at DESC, id LIMIT 1)`.as('way'),
]);

export type ListedOrder = RowOf<typeof LISTED, typeof ORDER_JSON>;

export const TO_CONFIRM = 'To confirm';

/** Beside a cancelled order whose parcel may be packed already. */
export const TO_UNPACK = 'Slip was printed';

/** How an order was paid, or is to be: 'UPI QR', 'Bank transfer', 'Cash on delivery'; '' while nothing says so. */
export const methodOf = ({ way, paidAtDoor }: Pick<ListedOrder, 'way' | 'paidAtDoor'>): string =>
  paidAtDoor === 1 && (way === null || way === 'cash')
    ? 'Cash on delivery'
    : way === null
      ? ''
      : wayName(way);

/** Reads the number of the order after or before which a page begins. */
export const readOrderNumber = (text: unknown): number | undefined =>
  typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined;

/**
 * One page, newest first, and the number of its last order if older ones follow. Paged by order number, because OFFSET
 * reads all earlier pages. @param before an order number
 */
export async function listOrders(db: Reader, filter: OrderFilter, before?: number) {
  const all = LISTED.where(filter).orderBy('number', 'desc');
  const older = before === undefined ? all : all.where('number', '<', before);
  const found = await db.rows(older.limit(ORDERS_PER_PAGE + 1), ORDER_JSON);
  const orders = found.slice(0, ORDERS_PER_PAGE);
  return { orders, last: found.length > ORDERS_PER_PAGE ? orders.at(-1)?.number : undefined };
}

/** Oldest first, after this order number. */
export const ordersAfter = (
  db: Reader,
  filter: OrderFilter,
  number: number,
  max: number,
): Promise<ListedOrder[]> => {
  const later = LISTED.where(filter).where('number', '>', number);
  return db.rows(later.orderBy('number').limit(max), ORDER_JSON);
};

export const orderById = (db: Reader, id: string): Promise<ListedOrder | undefined> =>
  db.row(LISTED.where('id', '=', id), ORDER_JSON);

/** An index answers it for a status or the money, without the rows. */
export async function countOrders(db: Reader, filter: OrderFilter): Promise<number> {
  const orders = q.selectFrom('orders').where(filter);
  return (await db.row(orders.select(({ fn }) => fn.countAll<number>().as('count'))))?.count ?? 0;
}

const totalsOf = (filter: OrderFilter) =>
  q
    .selectFrom('orders')
    .where(filter)
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      sumOf(fn.sum('totalPaise')).as('paise'),
      sumOf(fn.sum('toPayPaise')).as('toPayPaise'),
    ]);

/** The number of orders, and the sums of their totals and of what is to pay, in paise. */
export const orderTotals = async (db: Reader, filter: OrderFilter) =>
  (await db.row(totalsOf(filter))) ?? { count: 0, paise: 0, toPayPaise: 0 };

/** The same totals for each pair of a status and a status of the money. Every order is in exactly one. */
export const totalsByStanding = (db: Reader, filter: OrderFilter) =>
  db.rows(
    totalsOf(filter)
      .select(['status', 'money'])
      .groupBy(['status', 'money'])
      .orderBy('status')
      .orderBy('money'),
  );

export async function countByStatus(db: Reader, filter = allOf()): Promise<ReadonlyMap<number, number>> {
  const orders = q.selectFrom('orders').where(filter);
  const counts = orders.select(['status', ({ fn }) => fn.countAll<number>().as('count')]);
  return new Map((await db.rows(counts.groupBy('status'))).map(({ status, count }) => [status, count]));
}
