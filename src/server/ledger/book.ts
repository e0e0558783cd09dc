import { randomBytes } from 'node:crypto';
import type { Insertable, Updateable } from 'kysely';
import type { Paise } from '#domain/money.ts';
import { NEW_ORDER, PAID_ORDER } from '#domain/order-status.ts';
import type { Transaction } from '#server/db/database.ts';
import { prepared, q } from '#server/db/query.ts';
import type { Tables } from '#server/db/tables.ts';
import { type OutboxServices, queueEmail, TAKE_BACK_WITHIN, takeEmailBack } from '#server/email/outbox.ts';
import { ORDER, ORDER_JSON, type StoredOrder, setStatus, updateOrder } from '#server/orders/stored-orders.ts';
import { LEDGER_EMAILS } from './emails.ts';
import {
  type Adjustment,
  adjustmentsOf,
  dayOf,
  isMovement,
  type Movement,
  movementsOf,
  sumsOf,
  unreversed,
} from './movements.ts';

/*
 * The only functions that write movements and adjustments. Each locks the order first, and brings its sums up to date. A row
 * that is done is never changed: another row undoes it.
 */

/** What books something for an order: a transaction, and in whose name. */
export interface Book {
  readonly transaction: Transaction;
  readonly services: OutboxServices;
  readonly orderNumber: number;
  /** The email of a staff member, or the title of a provider. */
  readonly recordedBy: string;
}

/** An id of a row or of a payment at a provider. UPI allows at most 35 letters and digits. */
export const randomReference = (): string => `FF${randomBytes(15).toString('hex').toUpperCase()}`;

const LOCKED = prepared(({ number }: { number: number }) =>
  ORDER.where('number', '=', number).forNoKeyUpdate(),
);

/** Locks the order until the transaction ends. */
export async function lockAccount(transaction: Transaction, orderNumber: number): Promise<StoredOrder> {
  const order = await transaction.row(LOCKED({ number: orderNumber }), ORDER_JSON);
  if (!order) throw new Error(`There is no order ${orderNumber}.`);
  return order;
}

/** Brings the sums of a locked order up to date. A Pending order with nothing to pay goes to Processing. */
export async function recount({
  transaction,
  services,
  orderNumber,
}: Omit<Book, 'recordedBy'>): Promise<StoredOrder> {
  const rows = await movementsOf(transaction, orderNumber);
  const sums = sumsOf(rows, await adjustmentsOf(transaction, orderNumber));
  await updateOrder(transaction, orderNumber, sums);
  const order = await lockAccount(transaction, orderNumber);
  if (order.status !== NEW_ORDER || order.toPayPaise > 0) return order;
  await setStatus(transaction, orderNumber, PAID_ORDER, services.clock());
  return lockAccount(transaction, orderNumber);
}

/** What every new row has. */
function newRow({ services, orderNumber, recordedBy }: Book) {
  const now = services.clock();
  return { id: randomReference(), orderNumber, recordedBy, happenedOn: dayOf(now), recordedAt: now };
}

type NewMovement = Omit<Partial<Insertable<Tables['movements']>>, 'id'> &
  Pick<Movement, 'direction' | 'kind' | 'way' | 'paise' | 'state'>;

export async function insertMovement(book: Book, given: NewMovement): Promise<string> {
  const row = newRow(book);
  const insert = q.insertInto('movements').values({ ...row, changedAt: row.recordedAt, ...given });
  await book.transaction.run(insert);
  return row.id;
}

export type NewAdjustment = Pick<Adjustment, 'kind' | 'paise' | 'reason'> &
  Partial<Pick<Adjustment, 'lines' | 'movement' | 'happenedOn' | 'reverses'>>;

export async function insertAdjustment(book: Book, { lines = [], ...given }: NewAdjustment): Promise<string> {
  const row = newRow(book);
  const insert = q.insertInto('adjustments').values({ ...row, lines: JSON.stringify(lines), ...given });
  await book.transaction.run(insert);
  return row.id;
}

/** The provider itself took something off, so that less came than was owed. */
const insertOffer = (book: Book, movement: string, paise: Paise): Promise<string> =>
  insertAdjustment(book, { kind: 'offer', paise, reason: 'Offer of the provider', movement });

export type NewPayment = Pick<Movement, 'way' | 'paise'> &
  Partial<Pick<Movement, 'attempt' | 'happenedOn' | 'externalId' | 'note' | 'needsReview'>> & {
    /** What the provider itself took off, so that less came than was owed. */
    readonly offerPaise?: Paise;
  };

/** Records money that came, whatever the status of its order is. Emails the customer, unless it is to review. */
export async function recordPayment(
  book: Book,
  { offerPaise = 0, ...row }: NewPayment,
): Promise<{ readonly id: string; readonly before: StoredOrder; readonly order: StoredOrder }> {
  const { transaction, services } = book;
  const before = await lockAccount(transaction, book.orderNumber);
  const id = await insertMovement(book, { direction: 'in', kind: 'payment', state: 'done', ...row });
  if (offerPaise > 0) await insertOffer(book, id, offerPaise);
  const order = await recount(book);
  const waits = row.attempt ? 0 : TAKE_BACK_WITHIN;
  if (!row.needsReview) await queueEmail(transaction, services, { ...LEDGER_EMAILS.received, waits }, id);
  return { id, before, order };
}

/** Confirms a payment that was to review: an offer of the provider explains why less came. */
export async function confirmPayment(book: Book, id: string, offerPaise: Paise): Promise<void> {
  const { transaction, services } = book;
  await setMovement(transaction, id, { needsReview: 0, note: '' });
  await insertOffer(book, id, offerPaise);
  await recount(book);
  await queueEmail(transaction, services, LEDGER_EMAILS.received, id);
}

/** Lowers what is owed, and emails the customer. */
export async function adjust(book: Book, row: NewAdjustment): Promise<StoredOrder> {
  const { transaction, services } = book;
  await lockAccount(transaction, book.orderNumber);
  const id = await insertAdjustment(book, row);
  const email = row.kind === 'kept' ? LEDGER_EMAILS.notReturned : LEDGER_EMAILS.lowered;
  await queueEmail(transaction, services, { ...email, waits: TAKE_BACK_WITHIN }, id);
  return recount(book);
}

/** Changes a row. Once it is done, its amount and its days stay: only `needsReview`, `note` and `providerMessage` change. */
export const setMovement = (
  transaction: Transaction,
  id: string,
  set: Updateable<Tables['movements']>,
): Promise<number> => transaction.run(q.updateTable('movements').set(set).where('id', '=', id));

type Undoing = Partial<Pick<Movement, 'note' | 'happenedOn' | 'providerMessage'>>;

/** Undoes a row by one of its own. The adjustments that a movement caused stay. */
export async function reverse(
  book: Book,
  row: Movement | Adjustment,
  { note = '', providerMessage = '', ...undoing }: Undoing = {},
): Promise<void> {
  const { transaction } = book;
  await lockAccount(transaction, book.orderNumber);
  const given = { paise: row.paise, reverses: row.id, ...undoing };
  if (isMovement(row)) {
    await setMovement(transaction, row.id, { needsReview: 0 });
    const direction = row.direction === 'in' ? 'out' : 'in';
    const { kind, way } = row;
    await insertMovement(book, { ...given, kind, way, direction, state: 'done', note, providerMessage });
  } else await insertAdjustment(book, { ...given, kind: row.kind, reason: note });
  await recount(book);
}

/** Undoes the adjustments that a movement caused. */
export async function reverseAdjustmentsOf(book: Book, id: string, undoing?: Undoing): Promise<void> {
  const adjustments = unreversed(await adjustmentsOf(book.transaction, book.orderNumber));
  for (const adjustment of adjustments.filter(({ movement }) => movement === id))
    await reverse(book, adjustment, undoing);
}

/** The email that the customer gets about a booking of the staff. */
function emailAbout(row: Movement | Adjustment): { readonly kind: string } {
  if (row.kind === 'payment') return LEDGER_EMAILS.received;
  if (isMovement(row)) return LEDGER_EMAILS.returnedByHand;
  return row.kind === 'kept' ? LEDGER_EMAILS.notReturned : LEDGER_EMAILS.lowered;
}

/**
 * Takes back what the staff booked. What a movement lowered is owed again. The customer gets a correction if the email about
 * it may have gone out.
 */
export async function takeBookingBack(
  book: Book,
  row: Movement | Adjustment,
  undoing?: Undoing,
): Promise<void> {
  const { transaction, services } = book;
  if (isMovement(row)) await reverseAdjustmentsOf(book, row.id, undoing);
  await reverse(book, row, undoing);
  if (await takeEmailBack(transaction, services, emailAbout(row).kind, row.id))
    await queueEmail(transaction, services, LEDGER_EMAILS.correction, row.id);
}
