import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import * as v from 'valibot';
import { canonicalEmail } from '#domain/email.ts';
import { searchText } from '#domain/fold-text.ts';
import { orderIdIn, parseOrderNumber } from '#domain/order-number.ts';
import { normalisePhone } from '#domain/phone.ts';
import { tidyCode } from '#domain/text.ts';
import { hasEnded, STAFF_STATUSES, staffStatusOf } from '#server/admin/order-status.ts';
import type { Reader } from '#server/db/database.ts';
import { literals, q, type RowOf, sumOf } from '#server/db/query.ts';
import type { MoneyStatus, Tables } from '#server/db/tables.ts';
import { isMoneyStatus, tidyNumber, wayName } from '#server/ledger/labels.ts';
import { NAMING_EXTRAS } from '#server/orders/order-extras.ts';
import { OPEN, ORDER, ORDER_JSON } from '#server/orders/stored-orders.ts';
import { DAY } from '#server/process/clock.ts';

/** All given conditions must hold. */
export interface OrderFilter {
  readonly status?: number | undefined;
  /** ms since 1970: from `from`, before `until`. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  /** Part of the order's number, the name, the phone number, the PIN code or the email; the number of a payment or parcel. */
  readonly text?: string;
  readonly money?: MoneyStatus | undefined;
  readonly customerId?: string;
  /** Whether it waits for the customer's confirmation. */
  readonly toConfirm?: boolean | undefined;
  /** Whether it was cancelled when its parcel may have been packed. */
  readonly isToUnpack?: true | undefined;
  /** Whether it is paid, asked for a GST invoice, and has none. */
  readonly lacksInvoice?: true | undefined;
  /** Whether it can still be cancelled. */
  readonly isOpen?: true;
  /** Whether it was cancelled or came back. */
  readonly isEnded?: boolean;
  readonly ids?: readonly string[];
  /** The id of the batch that has it. */
  readonly batch?: string;
}

const order = expressionBuilder<Tables, 'orders'>();

/** When a day begins in India, in ms since 1970. @param day such as '2026-01-05' */
export const startOfDay = (day: string): number => Date.parse(`${day}T00:00:00+05:30`);

/** When a day ends in India, in ms since 1970. */
export const endOfDay = (day: string): number => startOfDay(day) + DAY;

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

/** The filters that an address or a form may have, by name. A value that cannot be used gives undefined. */
const FILTERS: Readonly<Record<string, (value: string) => OrderFilter | undefined>> = {
  status(value) {
    const status = readStatus(value);
    if (status === undefined) return undefined;
    // An order that waits for a confirmation is not packed yet: it has a filter of its own.
    return status === STAFF_STATUSES.processing.code ? { status, toConfirm: false } : { status };
  },
  confirm: (value) => (value === 'yes' ? { status: undefined, toConfirm: true } : undefined),
  invoice: (value) => (value === 'missing' ? { lacksInvoice: true } : undefined),
  unpack: (value) => (value === 'yes' ? { isToUnpack: true } : undefined),
  money: (money) => (isMoneyStatus(money) ? { money } : undefined),
  text: (text) => (v.is(v.pipe(v.string(), v.maxLength(200)), text) ? { text } : undefined),
  day: (day) => (v.is(DaySchema, day) ? { from: startOfDay(day), until: endOfDay(day) } : undefined),
  customer: (customerId) => ({ customerId }),
  open: (value) => (value === 'yes' ? { isOpen: true } : undefined),
  batch: (batch) => ({ batch }),
};

/** Reads a filter, with its values as a form sends them. `isReadable` is false if any was left out. */
export function readFilter(get: (name: string) => unknown) {
  const values = Object.entries(FILTERS).flatMap(([name, read]) => {
    const value = get(name);
    if (typeof value !== 'string' || value === '') return [];
    return [{ name, value, filter: read(value) }];
  });
  const used = values.filter(({ filter }) => filter !== undefined);
  return {
    filter: Object.assign({}, ...used.map(({ filter }) => filter)) as OrderFilter,
    values: Object.fromEntries(used.map(({ name, value }) => [name, value])),
    isReadable: used.length === values.length,
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

/** A cash order of an account whose email is not confirmed. An open one is not to pack yet. */
const IS_TO_CONFIRM = sql<number>`CASE WHEN orders.to_confirm = 1 AND orders.status = ${sql.lit(STAFF_STATUSES.processing.code)}
  AND EXISTS (SELECT 1 FROM customers WHERE customers.id = orders.customer_id AND email_verified = 0) THEN 1 ELSE 0 END`;

const IS_TO_UNPACK = order.and([
  order('status', '=', STAFF_STATUSES.cancelled.code),
  order('printedAt', 'is not', null),
]);

export const isToUnpack = ({ status, printedAt }: Pick<ListedOrder, 'status' | 'printedAt'>): boolean =>
  status === STAFF_STATUSES.cancelled.code && printedAt !== null;

const ENDED = Object.values(STAFF_STATUSES).flatMap(({ code }) => (hasEnded(code) ? [code] : []));

const LACKS_INVOICE = order.and([
  order('invoiceNumber', 'is', null),
  order('heldPaise', '>', 0),
  order('toPayPaise', '=', 0),
  order('status', 'not in', ENDED),
  order(
    'number',
    'in',
    q
      .selectFrom('orderExtras')
      .select('orderNumber')
      .where('name', 'in', literals(...NAMING_EXTRAS)),
  ),
]);

const inBatch = (id: string) => q.selectFrom('batchOrders').select('orderNumber').where('batchId', '=', id);

export const matching = ({
  status,
  from,
  until,
  text = '',
  money,
  customerId,
  toConfirm,
  isToUnpack,
  lacksInvoice,
  isOpen,
  isEnded,
  ids,
  batch,
}: OrderFilter): Expression<SqlBool> =>
  order.and([
    ...(money === undefined ? [] : [order('money', '=', money)]),
    ...(status === undefined ? [] : [order('status', '=', status)]),
    ...(isToUnpack ? [IS_TO_UNPACK] : []),
    ...(lacksInvoice ? [LACKS_INVOICE] : []),
    ...(isOpen ? [order('status', 'in', OPEN)] : []),
    ...(isEnded === undefined ? [] : [order('status', isEnded ? 'in' : 'not in', ENDED)]),
    ...(ids === undefined ? [] : [order('id', 'in', ids)]),
    ...(batch === undefined ? [] : [order('number', 'in', inBatch(batch))]),
    ...(customerId === undefined ? [] : [order('customerId', '=', customerId)]),
    ...(toConfirm === undefined ? [] : [sql<boolean>`${IS_TO_CONFIRM} = ${toConfirm ? 1 : 0}`]),
    // Few orders are in this index.
    ...(toConfirm ? [sql<boolean>`orders.to_confirm = 1`] : []),
    ...(from === undefined ? [] : [order('createdAt', '>=', from)]),
    ...(until === undefined ? [] : [order('createdAt', '<', until)]),
    ...(text.trim() === '' ? [] : [order.or(meanings(text.trim()))]),
  ]);

/** As many as fit into 20 KiB with the style sheet. */
export const ORDERS_PER_PAGE = 15;

const LISTED = ORDER.select(({ selectFrom }) => [
  'invoiceNumber',
  'invoicedOn',
  IS_TO_CONFIRM.as('isToConfirm'),
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

export const statusLabel = ({ status, isToConfirm }: Pick<ListedOrder, 'status' | 'isToConfirm'>): string =>
  isToConfirm ? TO_CONFIRM : staffStatusOf(status).label;

/** How an order was paid, or is to be: 'UPI QR', 'Bank transfer', 'Cash on delivery'; '' while nothing says so. */
export const methodOf = ({ way, paidAtDoor }: Pick<ListedOrder, 'way' | 'paidAtDoor'>): string =>
  paidAtDoor === 1 && (way === null || way === 'cash')
    ? 'Cash on delivery'
    : way === null
      ? ''
      : wayName(way);

/**
 * One page, newest first, and the number of its last order if older ones follow. Paged by order number, because OFFSET
 * reads all earlier pages. @param before an order number
 */
export async function listOrders(db: Reader, filter: OrderFilter, before?: number) {
  const all = LISTED.where(matching(filter)).orderBy('number', 'desc');
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
  const later = LISTED.where(matching(filter)).where('number', '>', number);
  return db.rows(later.orderBy('number').limit(max), ORDER_JSON);
};

export const orderById = (db: Reader, id: string): Promise<ListedOrder | undefined> =>
  db.row(LISTED.where('id', '=', id), ORDER_JSON);

/** An index answers it for a status or the money, without the rows. */
export async function countOrders(db: Reader, filter: OrderFilter): Promise<number> {
  const orders = q.selectFrom('orders').where(matching(filter));
  return (await db.row(orders.select(({ fn }) => fn.countAll<number>().as('count'))))?.count ?? 0;
}

export const countToConfirm = (db: Reader): Promise<number> => countOrders(db, { toConfirm: true });

/** The number of orders, and the sum of their totals in paise. */
export async function orderTotals(db: Reader, filter: OrderFilter) {
  const totals = q
    .selectFrom('orders')
    .where(matching(filter))
    .select(({ fn }) => [fn.countAll<number>().as('count'), sumOf(fn.sum('totalPaise')).as('paise')])
    .select(({ fn }) => sumOf(fn.sum('toPayPaise')).as('toPayPaise'));
  return (await db.row(totals)) ?? { count: 0, paise: 0, toPayPaise: 0 };
}

/** The same totals for each pair of a status and a status of the money. Every order is in exactly one. */
export function totalsByStanding(db: Reader, filter: OrderFilter) {
  const totals = q
    .selectFrom('orders')
    .where(matching(filter))
    .select(['status', 'money'])
    .select(({ fn }) => [fn.countAll<number>().as('count'), sumOf(fn.sum('totalPaise')).as('paise')])
    .select(({ fn }) => sumOf(fn.sum('toPayPaise')).as('toPayPaise'));
  return db.rows(totals.groupBy(['status', 'money']).orderBy('status').orderBy('money'));
}

export async function countByStatus(
  db: Reader,
  filter: OrderFilter = {},
): Promise<ReadonlyMap<number, number>> {
  const orders = q.selectFrom('orders').where(matching(filter));
  const counts = orders.select(['status', ({ fn }) => fn.countAll<number>().as('count')]);
  return new Map((await db.rows(counts.groupBy('status'))).map(({ status, count }) => [status, count]));
}
