import { sql } from 'kysely';
import * as v from 'valibot';
import { carrierName } from '#domain/carrier.ts';
import { indianDay, startOfIndianDay } from '#domain/date.ts';
import { trackingText } from '#domain/order.ts';
import type { ReturnState } from '#domain/order-history.ts';
import { isReturnEnding, RETURN_ENDINGS, type ReturnEnding } from '#domain/order-returns.ts';
import { STATUSES } from '#domain/order-status.ts';
import { ORDERS } from '#server/admin/paths.ts';
import { json } from '#server/db/columns.ts';
import type { Reader } from '#server/db/database.ts';
import { literals, prepared, q, type RowOf } from '#server/db/query.ts';
import { IS_RETURN_REFUNDED } from '#server/ledger/movements.ts';
import type { OrderDto } from '#server/orders/schema.ts';
import type { StoredOrder } from '#server/orders/stored-orders.ts';
import { isoTime } from '#server/process/clock.ts';
import { STORE_DEFAULTS } from '#site.ts';

type Dated = Pick<StoredOrder, 'events' | 'createdAt'>;

/** The end of the return period by the terms of its delivery, in ms since 1970: the end of a day in India. */
export function returnEnd({ events, createdAt }: Dated): number {
  const { at, terms: { returnDays } = STORE_DEFAULTS } = events.findLast(
    ({ status }) => status === STATUSES.delivered.code,
  ) ?? { at: createdAt };
  return returnDays === 0 ? at : startOfIndianDay(indianDay(at) + returnDays + 1);
}

/** The `returnUntil` of an order, or nothing if it cannot be returned now. @param now ms since 1970 */
export function returnUntil(
  order: Dated & Pick<StoredOrder, 'status'>,
  now: number,
): Pick<OrderDto, 'returnUntil'> {
  const end = order.status === STATUSES.delivered.code ? returnEnd(order) : 0;
  return now < end ? { returnUntil: isoTime(end - 1) } : {};
}

/** A return is refunded once a movement that names it was made: nothing stores it twice. */
const RETURN_STATE = sql<
  ReturnState | ReturnEnding
>`CASE WHEN ${IS_RETURN_REFUNDED} THEN 'refunded' ELSE returns.state END`.as('state');

const RETURN = q
  .selectFrom('returns')
  .select(['id', 'orderNumber', 'reason', 'answer', 'lines', 'createdAt', 'changedAt'])
  .select(['carrier', 'tracking', RETURN_STATE]);

const RETURN_JSON = { lines: json(v.array(v.object({ line: v.string(), quantity: v.number() }))) };

export type StoredReturn = RowOf<typeof RETURN, typeof RETURN_JSON>;

const RETURNS_OF = prepared(({ orderNumbers }: { orderNumbers: readonly number[] }) =>
  RETURN.where('orderNumber', 'in', orderNumbers).orderBy('createdAt').orderBy('id'),
);

/** Oldest first. */
export const returnsOf = (db: Reader, orderNumbers: readonly number[]): Promise<StoredReturn[]> =>
  db.rows(RETURNS_OF({ orderNumbers }), RETURN_JSON);

export const findReturn = (db: Reader, id: string): Promise<StoredReturn | undefined> =>
  db.row(RETURN.where('id', '=', id), RETURN_JSON);

const OPEN = ['asked', 'accepted', 'received'] as const;

/** Whether a return needs attention. */
export const IS_OPEN_RETURN = sql<boolean>`returns.state IN (${sql.join(literals(...OPEN))}) AND NOT ${IS_RETURN_REFUNDED}`;

/** Returns that need attention, the longest waiting first. */
export const openReturns = (db: Reader, max: number): Promise<StoredReturn[]> =>
  db.rows(RETURN.where(IS_OPEN_RETURN).orderBy('changedAt').orderBy('id').limit(max), RETURN_JSON);

export async function countOpenReturns(db: Reader): Promise<number> {
  const counted = q.selectFrom('returns').select(({ fn }) => fn.countAll<number>().as('count'));
  return (await db.row(counted.where(IS_OPEN_RETURN)))?.count ?? 0;
}

export const RETURNS = `${ORDERS}/returns`;

export const returnPath = (id: string): string => `${RETURNS}/${id}`;

export const STATE_LABELS: Readonly<Record<ReturnState | ReturnEnding, string>> = {
  asked: 'Requested',
  accepted: 'Accepted',
  refused: 'Refused',
  received: 'Received',
  refunded: 'Refunded',
  replaced: 'Replaced',
  nothing_came: 'Nothing came',
  withdrawn: 'Withdrawn',
};

/** What the customer reads: the message of the staff, and the parcel with the new goods. */
export const answerOf = ({
  answer,
  carrier,
  tracking,
}: Pick<StoredReturn, 'answer' | 'carrier' | 'tracking'>) =>
  [answer, tracking && trackingText({ carrier: carrierName(carrier), number: tracking })]
    .filter(Boolean)
    .join('\n');

/** @param returns of one order, the oldest first */
export const toReturnDtos = (returns: readonly StoredReturn[] | undefined): OrderDto['returns'] =>
  returns?.map((own, index) => ({
    state: isReturnEnding(own.state) ? RETURN_ENDINGS[own.state].state : own.state,
    ending: isReturnEnding(own.state) ? own.state : undefined,
    number: index + 1,
    lines: own.lines,
    reason: own.reason,
    answer: answerOf(own),
  }));
