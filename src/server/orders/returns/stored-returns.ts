import * as v from 'valibot';
import { indianDay, startOfIndianDay } from '#domain/date.ts';
import { STATUSES } from '#domain/order-status.ts';
import { type ReturnState, returnStates } from '#domain/return-state.ts';
import { ORDERS } from '#server/admin/paths.ts';
import { columnsOf } from '#server/db/columns.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { senderOf } from '#server/email/render.ts';
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

const RETURN_ROW = {
  id: v.string(),
  orderNumber: v.number(),
  state: v.picklist(returnStates()),
  reason: v.string(),
  /** The shop's message; '' if there is none. */
  answer: v.string(),
  lines: v.pipe(v.string(), v.parseJson(), v.array(v.object({ line: v.number(), quantity: v.number() }))),
  createdAt: v.number(),
  changedAt: v.number(),
};

const ReturnRowSchema = v.object(RETURN_ROW);

export type StoredReturn = v.InferOutput<typeof ReturnRowSchema>;

const RETURN = `SELECT ${columnsOf(RETURN_ROW)} FROM returns`;

/** Oldest first. */
export const returnsOf = (db: Reader, orderNumbers: readonly number[]): Promise<StoredReturn[]> =>
  orderNumbers.length === 0
    ? Promise.resolve([])
    : db.all(
        ReturnRowSchema,
        `${RETURN} WHERE order_number IN (${orderNumbers.map(() => '?').join()}) ORDER BY created_at, id`,
        ...orderNumbers,
      );

export const findReturn = (db: Reader, id: string): Promise<StoredReturn | undefined> =>
  db.get(ReturnRowSchema, `${RETURN} WHERE id = ?`, id);

/** Returns that need attention, the longest waiting first. */
export const openReturns = (db: Reader, most: number): Promise<StoredReturn[]> =>
  db.all(
    ReturnRowSchema,
    `${RETURN} WHERE state NOT IN ('refused', 'refunded') ORDER BY changed_at, id LIMIT ?`,
    most,
  );

/** Returns false if the return is no longer in its former state. */
export async function applyReturnTransition(
  transaction: Transaction,
  { id, state: from }: StoredReturn,
  state: ReturnState,
  { now, answer }: { readonly now: number; readonly answer: string },
): Promise<boolean> {
  const changed = await transaction.run(
    "UPDATE returns SET state = ?, changed_at = ?, answer = CASE WHEN ? = '' THEN answer ELSE ? END WHERE id = ? AND state = ?",
    state,
    now,
    answer,
    answer,
    id,
    from,
  );
  return changed > 0;
}

export const toReturnDto = ({ state, lines, reason, answer }: StoredReturn) => ({
  state,
  lines,
  reason,
  answer,
});

export const RETURNS = `${ORDERS}/returns`;

export const returnPath = (id: string): string => `${RETURNS}/${id}`;

export const STATE_LABELS: Readonly<Record<ReturnState, string>> = {
  asked: 'Requested',
  accepted: 'Accepted, to be sent back',
  kept: 'Accepted, goods kept',
  refused: 'Refused',
  received: 'Received',
  refunded: 'Refunded',
};
