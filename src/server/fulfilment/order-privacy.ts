import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import { canonicalEmail } from '#domain/email.ts';
import { NEW_ORDER, STATUSES } from '#domain/order-status.ts';
import { phoneNumber } from '#domain/phone.ts';
import { phoneKeys } from '#domain/same-customer.ts';
import { exportNotesOn } from '#server/customers/staff-notes.tsx';
import type { Database, Reader, Transaction } from '#server/db/database.ts';
import { q } from '#server/db/query.ts';
import type { Tables } from '#server/db/tables.ts';
import { eraseEmailsAbout, exportEmailsAbout } from '#server/email/outbox.ts';
import { toOrderDtos } from '#server/fulfilment/shown-orders.ts';
import { adjustmentsOf, type Movement, movementsOf } from '#server/ledger/movements.ts';
import { ERASED_EXTRAS, extrasOf, NAMING_EXTRAS } from '#server/orders/order-extras.ts';
import { apiStatus, ORDER, ORDER_JSON, type StoredOrder, updateOrder } from '#server/orders/stored-orders.ts';
import { type Attempt, attemptsOf } from '#server/payments/stored-attempts.ts';
import { DAY, isoTime } from '#server/process/clock.ts';
import { IS_OPEN_RETURN, returnEnd } from './returns/stored-returns.ts';

/** After so long an unpaid order counts as abandoned, in ms. */
const ABANDONED_AFTER = 30 * DAY;

const ORDERS_PER_BATCH = 20;

const only = <Row>(row: Row, ...columns: readonly (keyof Row)[]) =>
  Object.fromEntries(columns.map((name) => [name, row[name]]));

const exportAttempt = (attempt: Attempt) => ({
  ...only(attempt, 'provider', 'method', 'bankReference', 'state', 'amountPaise'),
  createdAt: isoTime(attempt.createdAt),
  changedAt: isoTime(attempt.changedAt),
});

const exportMovement = (row: Movement) =>
  only(row, 'kind', 'direction', 'way', 'paise', 'state', 'happenedOn', 'externalId');

const order = expressionBuilder<Tables, 'orders'>();

/** The orders of an account. */
export const ofAccount = (customerId: string): Expression<SqlBool> => order('customerId', '=', customerId);

/** The orders without an account that were taken for this email or phone, in any spelling. */
export const ofContact = (contact: string): Expression<SqlBool> =>
  order.and([
    order('customerId', 'is', null),
    order.or([
      order('contactEmail', '=', canonicalEmail(contact)),
      ...(phoneNumber(contact) ? phoneKeys(contact).map((key) => order('phone', '=', key)) : []),
    ]),
  ]);

/** The subjects of all emails about an order: itself, its movements and its adjustments. */
const subjectsOf = async (db: Reader, { id, number }: Pick<StoredOrder, 'id' | 'number'>) =>
  [{ id }, ...(await movementsOf(db, number)), ...(await adjustmentsOf(db, number))].map((row) => row.id);

/** All these orders with their payments, for the export of a customer's data. */
export async function* exportOrders(db: Reader, owned: Expression<SqlBool>): AsyncGenerator<object> {
  for (let after = -1; ; ) {
    const later = ORDER.where(owned).where('number', '>', after);
    const orders = await db.rows(later.orderBy('number').limit(ORDERS_PER_BATCH), ORDER_JSON);
    if (orders.length === 0) return;
    const sent = await toOrderDtos(db, orders);
    const numbers = orders.map(({ number }) => number);
    const extras = await extrasOf(db, numbers);
    for (const [index, { id, number, language, customerId, contactEmail }] of orders.entries()) {
      const payments = (await attemptsOf(db, number)).map(exportAttempt);
      const movements = (await movementsOf(db, number)).map(exportMovement);
      const own = { extras: Object.fromEntries(extras.get(number) ?? []), language, payments, movements };
      // An account's notes and emails are lists of their own.
      const without = customerId === null && {
        email: contactEmail,
        staffNotes: await exportNotesOn(db, number),
        emails: await exportEmailsAbout(db, await subjectsOf(db, { id, number })),
      };
      yield { ...sent[index], ...own, ...without };
    }
    after = orders.at(-1)?.number ?? after;
    await nextTurn();
  }
}

/** From this total on, or to a business, an invoice must name the recipient (CGST Rules, rule 46). Units: paise. */
const NAMED_FROM = 5_000_000;

const hasExtra = (names: readonly string[]) =>
  sql`EXISTS (SELECT 1 FROM order_extras WHERE order_number = orders.number AND name IN (${sql.join(names)}))`;

/** How long an order without an account holds personal data: so long it can be tracked, and is known as an earlier order. */
export const WITHOUT_ACCOUNT_DAYS = 180;

/** Orders of closed accounts, and old ones without an account. */
const isToForget = (now: number) =>
  sql<boolean>`(customer_id IN (SELECT id FROM customers WHERE closed_at IS NOT NULL)
    OR (customer_id IS NULL AND orders.created_at < ${now - WITHOUT_ACCOUNT_DAYS * DAY}))`;

/** Orders that still hold personal data which nothing needs. Name and address stay if the invoice must name the recipient. */
const erasable = (now: number) =>
  ORDER.where(sql<boolean>`(contact_email IS NOT NULL OR (NOT ${hasExtra(NAMING_EXTRAS)} AND total_paise < ${NAMED_FROM} AND recipient <> '') OR phone <> ''
    OR ${hasExtra(ERASED_EXTRAS)}
    OR EXISTS (SELECT 1 FROM staff_notes WHERE order_number = orders.number)
    OR EXISTS (SELECT 1 FROM returns WHERE order_number = orders.number AND (reason <> '' OR answer <> '')))
  AND (to_pay_paise = 0 OR (status = 0 AND held_paise = 0)) AND to_refund_paise = 0 AND refunding_paise = 0 AND disputed_paise = 0 AND needs_review = 0
  AND NOT EXISTS (SELECT 1 FROM payment_attempts WHERE order_number = orders.number
    AND state = 'open' AND payment_attempts.created_at > ${now - ABANDONED_AFTER})
  AND NOT EXISTS (SELECT 1 FROM returns WHERE order_number = orders.number AND ${IS_OPEN_RETURN})`);

/** Whether the order is complete and past its return period, so that its address is no longer needed. */
function isOver(order: StoredOrder, now: number): boolean {
  const { status, createdAt } = order;
  if (status === NEW_ORDER) return createdAt < now - ABANDONED_AFTER;
  if (status !== STATUSES.delivered.code) return apiStatus(status) === STATUSES.cancelled.code;
  return returnEnd(order) <= now;
}

async function erasableNow(db: Reader, filter: Expression<SqlBool>, now: number): Promise<StoredOrder[]> {
  const found = await db.rows(erasable(now).where(filter).orderBy('number'), ORDER_JSON);
  return found.filter((each) => isOver(each, now));
}

async function eraseAddress(transaction: Transaction, order: StoredOrder): Promise<void> {
  const extras = (await extrasOf(transaction, [order.number])).get(order.number);
  const isNamed = order.totalPaise >= NAMED_FROM || NAMING_EXTRAS.some((name) => extras?.has(name));
  // City, state and PIN code stay: the tax depends on the place of delivery.
  const address = { ...order.address, phone: '', ...(isNamed ? {} : { fullName: '', address: '' }) };
  await updateOrder(transaction, order.number, { address, contactEmail: null });
  const ofOrder = sql<boolean>`order_number = ${order.number}`;
  await transaction.run(q.deleteFrom('orderExtras').where(ofOrder).where('name', 'in', ERASED_EXTRAS));
  await transaction.run(q.deleteFrom('staffNotes').where(ofOrder));
  await transaction.run(q.updateTable('returns').set({ reason: '', answer: '' }).where(ofOrder));
  await transaction.run(q.updateTable('movements').set({ note: '', providerMessage: '' }).where(ofOrder));
  await transaction.run(q.updateTable('adjustments').set({ reason: '' }).where(ofOrder));
}

/**
 * Erases name, address, phone, email, extras and the texts of returns, refunds and payments from orders of closed accounts, and
 * from old ones without an account. An order must be complete and
 * past its return period. Goods, amounts, dates and the place stay, as tax law requires. Returns the number of
 * orders.
 */
export async function eraseOrders(db: Database, now: number): Promise<number> {
  const over = await erasableNow(db, isToForget(now), now);
  for (const order of over) await db.write((transaction) => eraseAddress(transaction, order));
  return over.length;
}

/** Erases at once what `eraseOrders` would erase later of a person without an account. Returns the number of orders. */
export async function eraseContact(transaction: Transaction, contact: string, now: number): Promise<number> {
  const over = await erasableNow(transaction, ofContact(contact), now);
  for (const each of over) {
    await eraseAddress(transaction, each);
    await eraseEmailsAbout(transaction, await subjectsOf(transaction, each));
  }
  return over.length;
}
