import { randomBytes } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Paise } from '#domain/money.ts';
import { NEW_ORDER, PAID_ORDER } from '#domain/order-status.ts';
import type { Transaction } from '#server/db/database.ts';
import { prepared, q } from '#server/db/query.ts';
import type { Tables } from '#server/db/tables.ts';
import { type OutboxServices, queueEmail, TAKE_BACK_WITHIN, takeEmailBack } from '#server/email/outbox.ts';
import { ORDER, ORDER_JSON, type StoredOrder, setStatus } from '#server/orders/stored-orders.ts';
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
export async function recount(
  transaction: Transaction,
  { clock }: OutboxServices,
  orderNumber: number,
): Promise<StoredOrder> {
  const rows = await movementsOf(transaction, orderNumber);
  const sums = sumsOf(rows, await adjustmentsOf(transaction, orderNumber));
  await transaction.run(q.updateTable('orders').set(sums).where('number', '=', orderNumber));
  const order = await lockAccount(transaction, orderNumber);
  if (order.status !== NEW_ORDER || order.toPayPaise > 0) return order;
  await setStatus(transaction, orderNumber, PAID_ORDER, clock());
  return lockAccount(transaction, orderNumber);
}

type NewRow = Partial<Insertable<Tables['movements']>> &
  Pick<Movement, 'direction' | 'kind' | 'way' | 'paise' | 'state' | 'recordedBy'>;

export async function insertMovement(
  transaction: Transaction,
  { clock }: OutboxServices,
  orderNumber: number,
  row: NewRow,
): Promise<string> {
  const now = clock();
  const id = row.id ?? randomReference();
  const times = { happenedOn: dayOf(now), recordedAt: now, changedAt: now };
  await transaction.run(q.insertInto('movements').values({ ...times, ...row, id, orderNumber }));
  return id;
}

export type NewAdjustment = Pick<Adjustment, 'kind' | 'paise' | 'reason' | 'recordedBy'> &
  Partial<Pick<Adjustment, 'lines' | 'movement' | 'happenedOn' | 'reverses'>>;

export async function insertAdjustment(
  transaction: Transaction,
  { clock }: OutboxServices,
  orderNumber: number,
  { lines = [], ...row }: NewAdjustment,
): Promise<string> {
  const now = clock();
  const id = randomReference();
  const given = { id, orderNumber, happenedOn: dayOf(now), recordedAt: now, lines: JSON.stringify(lines) };
  await transaction.run(q.insertInto('adjustments').values({ ...given, ...row }));
  return id;
}

export type NewPayment = Pick<Movement, 'way' | 'paise' | 'recordedBy'> &
  Partial<Pick<Movement, 'attempt' | 'happenedOn' | 'externalId' | 'note' | 'needsReview'>> & {
    /** What the provider itself took off, so that less came than was owed. */
    readonly offerPaise?: Paise;
  };

/** The provider itself took something off, so that less came than was owed. */
const offer = (movement: string, paise: Paise, recordedBy: string): NewAdjustment => ({
  kind: 'offer',
  paise,
  reason: 'Offer of the provider',
  movement,
  recordedBy,
});

/** Records money that came, whatever the status of its order is. Emails the customer, unless it is to review. */
export async function recordPayment(
  transaction: Transaction,
  services: OutboxServices,
  orderNumber: number,
  { offerPaise = 0, ...row }: NewPayment,
): Promise<{ readonly id: string; readonly before: StoredOrder; readonly order: StoredOrder }> {
  const before = await lockAccount(transaction, orderNumber);
  const given = { direction: 'in', kind: 'payment', state: 'done', ...row } as const;
  const id = await insertMovement(transaction, services, orderNumber, given);
  if (offerPaise > 0)
    await insertAdjustment(transaction, services, orderNumber, offer(id, offerPaise, row.recordedBy));
  const order = await recount(transaction, services, orderNumber);
  const waits = row.attempt ? 0 : TAKE_BACK_WITHIN;
  if (!row.needsReview) await queueEmail(transaction, services, { ...LEDGER_EMAILS.received, waits }, id);
  return { id, before, order };
}

/** Confirms a payment that was to review: an offer of the provider explains why less came. */
export async function confirmPayment(
  transaction: Transaction,
  services: OutboxServices,
  { id, orderNumber }: Movement,
  offerPaise: Paise,
  recordedBy: string,
): Promise<void> {
  await setMovement(transaction, id, { needsReview: 0, note: '' });
  await insertAdjustment(transaction, services, orderNumber, offer(id, offerPaise, recordedBy));
  await recount(transaction, services, orderNumber);
  await queueEmail(transaction, services, LEDGER_EMAILS.received, id);
}

/** Lowers what is owed, and emails the customer. */
export async function adjust(
  transaction: Transaction,
  services: OutboxServices,
  orderNumber: number,
  row: NewAdjustment,
): Promise<StoredOrder> {
  await lockAccount(transaction, orderNumber);
  const id = await insertAdjustment(transaction, services, orderNumber, row);
  const email = row.kind === 'kept' ? LEDGER_EMAILS.notReturned : LEDGER_EMAILS.lowered;
  await queueEmail(transaction, services, { ...email, waits: TAKE_BACK_WITHIN }, id);
  return recount(transaction, services, orderNumber);
}

type Changing =
  | 'paise'
  | 'state'
  | 'happenedOn'
  | 'changedAt'
  | 'externalId'
  | 'providerMessage'
  | 'answerBy'
  | 'needsReview'
  | 'note';

/** Changes a row that is not done, or of a done one the three columns that may change. */
export const setMovement = (
  transaction: Transaction,
  id: string,
  set: Partial<Pick<Movement, Changing>>,
): Promise<number> => transaction.run(q.updateTable('movements').set(set).where('id', '=', id));

export type Undoing = Pick<Movement, 'recordedBy'> &
  Partial<Pick<Movement, 'note' | 'happenedOn' | 'providerMessage'>>;

/** Undoes a row by one of its own. The adjustments that a movement caused stay. */
export async function reverse(
  transaction: Transaction,
  services: OutboxServices,
  row: Movement | Adjustment,
  { note = '', providerMessage = '', ...undoing }: Undoing,
): Promise<StoredOrder> {
  const { id, orderNumber, paise } = row;
  await lockAccount(transaction, orderNumber);
  const given = { paise, reverses: id, ...undoing };
  if (isMovement(row)) {
    await setMovement(transaction, id, { needsReview: 0 });
    const direction = row.direction === 'in' ? 'out' : 'in';
    const { kind, way } = row;
    const opposite = { ...given, kind, way, direction, state: 'done', note, providerMessage } as const;
    await insertMovement(transaction, services, orderNumber, opposite);
  } else
    await insertAdjustment(transaction, services, orderNumber, { ...given, kind: row.kind, reason: note });
  return recount(transaction, services, orderNumber);
}

/** Undoes the adjustments that a movement caused. */
export async function reverseAdjustmentsOf(
  transaction: Transaction,
  services: OutboxServices,
  { id, orderNumber }: Pick<Movement, 'id' | 'orderNumber'>,
  undoing: Undoing,
): Promise<void> {
  const adjustments = unreversed(await adjustmentsOf(transaction, orderNumber));
  for (const adjustment of adjustments.filter(({ movement }) => movement === id))
    await reverse(transaction, services, adjustment, undoing);
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
  transaction: Transaction,
  services: OutboxServices,
  row: Movement | Adjustment,
  undoing: Undoing,
): Promise<void> {
  if (isMovement(row)) await reverseAdjustmentsOf(transaction, services, row, undoing);
  await reverse(transaction, services, row, undoing);
  if (await takeEmailBack(transaction, services, emailAbout(row).kind, row.id))
    await queueEmail(transaction, services, LEDGER_EMAILS.correction, row.id);
}
