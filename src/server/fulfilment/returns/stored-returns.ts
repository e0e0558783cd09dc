import { sql } from 'kysely';
import * as v from 'valibot';
import { indianDay, startOfIndianDay } from '#domain/date.ts';
import type { ReturnState } from '#domain/order-history.ts';
import { STATUSES } from '#domain/order-status.ts';
import { ORDERS } from '#server/admin/paths.ts';
import { json } from '#server/db/columns.ts';
import type { Reader } from '#server/db/database.ts';
import { prepared, q, type RowOf } from '#server/db/query.ts';
import { senderOf } from '#server/email/render.tsx';
import { IS_RETURN_REFUNDED } from '#server/ledger/movements.ts';
import type { OrderDto } from '#server/orders/schema.ts';
import { isoTime } from '#server/process/clock.ts';
import type { Services } from '#server/services/services.ts';

/** Days after the delivery in which an order may be returned. 0: no returns. */
export const readReturnDays = async (services: Pick<Services, 'catalogue'>): Promise<number> =>
  (await senderOf(services)).returnDays;

/** Times are in ms since 1970. */
interface Returnable {
  readonly status: number;
  readonly createdAt: number;
  readonly events: readonly { readonly status: number; readonly at: number }[];
}

/** The end of the return period, in ms since 1970: the end of a day in India. */
export function returnEnd({ events, createdAt }: Omit<Returnable, 'status'>, returnDays: number): number {
  const deliveredAt = events.findLast(({ status }) => status === STATUSES.delivered.code)?.at ?? createdAt;
  return returnDays === 0 ? deliveredAt : startOfIndianDay(indianDay(deliveredAt) + returnDays + 1);
}

/** Returns a function that gives the `returnUntil` of an order, or nothing if it cannot be returned now. */
export async function readReturnUntil(
  services: Pick<Services, 'catalogue' | 'clock'>,
): Promise<(order: Returnable) => Pick<OrderDto, 'returnUntil'>> {
  const days = await readReturnDays(services);
  const now = services.clock();
  return (order) => {
    const end = order.status === STATUSES.delivered.code ? returnEnd(order, days) : 0;
    return now < end ? { returnUntil: isoTime(end - 1) } : {};
  };
}

/** A return is refunded once a movement that names it was made: nothing stores it twice. */
const RETURN_STATE =
  sql<ReturnState>`CASE WHEN ${IS_RETURN_REFUNDED} THEN 'refunded' ELSE returns.state END`.as('state');

const RETURN = q
  .selectFrom('returns')
  .select(['id', 'orderNumber', 'reason', 'answer', 'lines', 'createdAt', 'changedAt'])
  .select(RETURN_STATE);

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

const isOpen = sql<boolean>`returns.state NOT IN ('refused', 'refunded') AND NOT ${IS_RETURN_REFUNDED}`;

/** Returns that need attention, the longest waiting first. */
export const openReturns = (db: Reader, max: number): Promise<StoredReturn[]> =>
  db.rows(RETURN.where(isOpen).orderBy('changedAt').orderBy('id').limit(max), RETURN_JSON);

export async function countOpenReturns(db: Reader): Promise<number> {
  const counted = q.selectFrom('returns').select(({ fn }) => fn.countAll<number>().as('count'));
  return (await db.row(counted.where(isOpen)))?.count ?? 0;
}

export const RETURNS = `${ORDERS}/returns`;

export const returnPath = (id: string): string => `${RETURNS}/${id}`;

export const STATE_LABELS: Readonly<Record<ReturnState, string>> = {
  asked: 'Requested',
  accepted: 'Accepted',
  refused: 'Refused',
  received: 'Received',
  refunded: 'Refunded',
};
