import { sql } from 'kysely';
import * as v from 'valibot';
import { indianMinute } from '#domain/date.ts';
import type { Paise } from '#domain/money.ts';
import { json } from '#server/db/columns.ts';
import type { Reader } from '#server/db/database.ts';
import { prepared, q, type RowOf } from '#server/db/query.ts';

const MOVEMENT = q
  .selectFrom('movements')
  .select(['id', 'orderNumber', 'attempt', 'direction', 'kind', 'way', 'paise', 'state', 'happenedOn'])
  .select(['recordedAt', 'changedAt', 'recordedBy', 'externalId', 'refundOf', 'retryOf', 'reverses'])
  .select(['returnId', 'note', 'providerMessage', 'answerBy', 'needsReview']);

/** Money that came or went, is on its way, or is in dispute (a chargeback). */
export type Movement = RowOf<typeof MOVEMENT>;

const ADJUSTMENT = q
  .selectFrom('adjustments')
  .select(['id', 'orderNumber', 'kind', 'paise', 'reason', 'lines', 'movement', 'happenedOn'])
  .select(['recordedAt', 'recordedBy', 'reverses']);

const ADJUSTMENT_JSON = { lines: json(v.array(v.object({ line: v.string(), quantity: v.number() }))) };

/** What is owed became less. */
export type Adjustment = RowOf<typeof ADJUSTMENT, typeof ADJUSTMENT_JSON>;

const MOVEMENTS_OF = prepared(({ numbers }: { numbers: readonly number[] }) =>
  MOVEMENT.where('orderNumber', 'in', numbers).orderBy('recordedAt').orderBy('id'),
);

const ADJUSTMENTS_OF = prepared(({ numbers }: { numbers: readonly number[] }) =>
  ADJUSTMENT.where('orderNumber', 'in', numbers).orderBy('recordedAt').orderBy('id'),
);

/** Of these orders, the oldest first. */
export const movementsOf = async (db: Reader, ...numbers: readonly number[]): Promise<Movement[]> =>
  numbers.length === 0 ? [] : db.rows(MOVEMENTS_OF({ numbers }));

/** Of these orders, the oldest first. */
export const adjustmentsOf = async (db: Reader, ...numbers: readonly number[]): Promise<Adjustment[]> =>
  numbers.length === 0 ? [] : db.rows(ADJUSTMENTS_OF({ numbers }), ADJUSTMENT_JSON);

export const findMovement = (db: Reader, id: string): Promise<Movement | undefined> =>
  db.row(MOVEMENT.where('id', '=', id));

export const findAdjustment = (db: Reader, id: string): Promise<Adjustment | undefined> =>
  db.row(ADJUSTMENT.where('id', '=', id), ADJUSTMENT_JSON);

type Row = Movement | Adjustment | undefined;

export const isMovement = (row: Row): row is Movement => row !== undefined && 'direction' in row;

/** A refund that failed, and that nobody has made again or ended. */
export const isFailed = (row: Row): row is Movement =>
  isMovement(row) && row.state === 'failed' && row.needsReview === 1;

type Undone = Pick<Movement, 'id' | 'reverses'>;

/** Whether a later row undoes this one, and nothing has undone that again. */
export const isReversed = (row: Undone, rows: readonly Undone[]): boolean =>
  rows.some((other) => other.reverses === row.id && !isReversed(other, rows));

/** The rows that undo nothing and are not undone: what counts, and what pages and the API show. */
export const unreversed = <Row extends Undone>(rows: readonly Row[]): Row[] =>
  rows.filter((row) => row.reverses === null && !isReversed(row, rows));

/** Whether the bank has yet to decide. What is in dispute must not be refunded: the customer would be paid twice. */
export const isOpenDispute = ({ kind, state }: Pick<Movement, 'kind' | 'state'>): boolean =>
  kind === 'dispute' && (state === 'open' || state === 'answered');

/** Whether the money has moved. A dispute counts once it is lost. */
export const hasMoved = ({ state }: Pick<Movement, 'state'>): boolean => state === 'done' || state === 'lost';

/** What a refund or a dispute takes of the payment that it is about, or may still take. */
const isTaken = (row: Movement): boolean => hasMoved(row) || row.state === 'requested' || isOpenDispute(row);

const sum = (rows: readonly { readonly paise: Paise }[]): Paise =>
  rows.reduce((all, { paise }) => all + paise, 0);

/** What refunds that failed were to give back. */
export const failedPaise = (movements: readonly Movement[]): Paise =>
  sum(unreversed(movements).filter(isFailed));

/** The columns of an order that are sums of its rows. */
export function sumsOf(movements: readonly Movement[], adjustments: readonly Adjustment[]) {
  const counted = unreversed(movements);
  const moved = counted.filter(hasMoved);
  const less = unreversed(adjustments);
  return {
    receivedPaise: sum(moved.filter(({ kind }) => kind === 'payment')),
    returnedPaise: sum(moved.filter(({ kind }) => kind !== 'payment')),
    refundingPaise: sum(counted.filter(({ state }) => state === 'requested')),
    disputedPaise: sum(counted.filter(isOpenDispute)),
    adjustedPaise: sum(less.filter(({ kind }) => kind !== 'kept')),
    keptPaise: sum(less.filter(({ kind }) => kind === 'kept')),
    needsReview: counted.filter(({ kind, needsReview }) => kind === 'payment' && needsReview === 1).length,
  };
}

/** The payments that still hold money, the newest first, with what is left of each after its refunds and disputes. */
export function holdings(movements: readonly Movement[]): { payment: Movement; left: Paise }[] {
  const counted = unreversed(movements);
  return counted
    .filter((row) => row.kind === 'payment' && hasMoved(row))
    .map((payment) => {
      const taken = counted.filter((row) => row.refundOf === payment.id && isTaken(row));
      return { payment, left: Math.max(0, payment.paise - sum(taken)) };
    })
    .toReversed();
}

/** The refunds of a return, also those that failed. */
export const refundsOfReturn = (returnId: string, movements: readonly Movement[]): Movement[] =>
  unreversed(movements).filter((row) => row.returnId === returnId);

/** Whether a refund of the row of `returns` was made. */
export const IS_RETURN_REFUNDED = sql<boolean>`EXISTS (SELECT 1 FROM movements WHERE return_id = returns.id
  AND state = 'done' AND NOT EXISTS (SELECT 1 FROM movements AS undone WHERE undone.reverses = movements.id))`;

/** The day in India, such as '2026-01-05'. @param at ms since 1970 */
export const dayOf = (at: number): string => indianMinute(at).slice(0, 'yyyy-mm-dd'.length);
