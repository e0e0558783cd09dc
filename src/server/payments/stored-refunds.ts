import { type Paise, type Rupees, toRupees } from '#domain/money.ts';
import type { RefundState } from '#domain/order-history.ts';
import type { Reader } from '#server/db/database.ts';
import { prepared, q, type RowOf } from '#server/db/query.ts';
import { isoTime } from '#server/process/clock.ts';
import { type Payment, receivedOf } from './stored-payments.ts';

/**
 * `key` is our id of the refund, and its idempotency key at the provider. `words` is the provider's message if it
 * refused. `requested` is 1 if the shop makes it at the provider, `byHand` if staff refunded in another way.
 * `noted` is 0 while the staff have still to look at it: it failed, was made at the provider, or is a dispute.
 * A dispute's `reason` is the bank's; until `respondBy` the shop may answer, in ms since 1970.
 */
const REFUND = q
  .selectFrom('refunds')
  .select(['key', 'reference', 'paise', 'reason', 'who', 'state', 'words', 'byHand', 'requested'])
  .select(['createdAt', 'changedAt', 'noted', 'returnId', 'respondBy']);

/** All of a payment, or a part of it, that goes back to the payer: by a refund, or by a bank that decides a dispute. */
export type Refund = RowOf<typeof REFUND>;

const listed = async (
  db: Reader,
  column: 'reference' | 'returnId',
  values: readonly string[],
): Promise<Refund[]> =>
  values.length === 0 ? [] : db.rows(REFUND.where(column, 'in', values).orderBy('createdAt').orderBy('key'));

/** Oldest first. */
export const refundsOf = (db: Reader, payments: readonly Pick<Payment, 'reference'>[]): Promise<Refund[]> =>
  listed(
    db,
    'reference',
    payments.map(({ reference }) => reference),
  );

/** Oldest first. */
export const refundsOfReturns = (db: Reader, returnIds: readonly string[]): Promise<Refund[]> =>
  listed(db, 'returnId', returnIds);

/** Whether the bank has yet to decide. A disputed amount must not be refunded: the customer would be paid twice. */
export const isOpenDispute = ({ state }: Pick<Refund, 'state'>): boolean =>
  state === 'disputed' || state === 'under_review';

export const isDispute = (refund: Pick<Refund, 'state'>): boolean =>
  isOpenDispute(refund) || ['won', 'lost', 'closed'].includes(refund.state);

/** Whether the payer has the money back. */
export const isReturned = ({ state }: Pick<Refund, 'state'>): boolean =>
  state === 'refunded' || state === 'lost';

type Received = Parameters<typeof receivedOf>[0] & Pick<Payment, 'reference'>;

/** What is left of a payment after some of its refunds. */
export const leftAfter = (
  payment: Received,
  refunds: readonly Refund[],
  counts: (refund: Refund) => boolean,
): Paise =>
  refunds
    .filter((refund) => refund.reference === payment.reference && counts(refund))
    .reduce((left, { paise }) => Math.max(0, left - paise), receivedOf(payment));

/**
 * What can still be refunded of a payment, whether by hand or by its provider. Every form and every check uses it. A
 * failed refund does not count.
 */
export const refundable = (payment: Received, refunds: readonly Refund[]): Paise =>
  leftAfter(
    payment,
    refunds,
    (refund) => refund.state === 'refunding' || isReturned(refund) || isOpenDispute(refund),
  );

const REFUNDED = q
  .selectFrom('payments')
  .select(['reference', 'orderNumber', 'state', 'amountPaise', 'changedAt'])
  .select(['receivedPaise', 'receivedCurrency'])
  .where(({ eb, exists, or, selectFrom }) =>
    or([
      eb('state', '=', 'refund_due'),
      exists(selectFrom('refunds').select('key').whereRef('refunds.reference', '=', 'payments.reference')),
    ]),
  )
  .orderBy('createdAt')
  .orderBy('reference');

const REFUNDED_OF = prepared(({ orderNumbers }: { orderNumbers: readonly number[] }) =>
  REFUNDED.where('orderNumber', 'in', orderNumbers),
);

interface RefundDto {
  readonly amount: Rupees;
  readonly state: RefundState;
  readonly at: string;
}

const toRefundDto = (paise: Paise, state: RefundState, at: number): RefundDto => ({
  amount: toRupees(paise),
  state,
  at: isoTime(at),
});

/** What the customer sees: neither open disputes nor a failed refund that was tried again. */
function dtosOf(payment: RowOf<typeof REFUNDED>, all: readonly Refund[]): RefundDto[] {
  const refunds = all.filter(
    (refund) => refund.reference === payment.reference && (!isDispute(refund) || refund.state === 'lost'),
  );
  const shown = refunds.flatMap(({ paise, state, changedAt }, index): RefundDto[] => {
    if (state === 'refunding') return [toRefundDto(paise, state, changedAt)];
    if (state !== 'refund_failed') return [toRefundDto(paise, 'refunded', changedAt)];
    return index === refunds.length - 1 ? [toRefundDto(paise, state, changedAt)] : [];
  });
  const failed = refunds.at(-1)?.state === 'refund_failed' ? (refunds.at(-1)?.paise ?? 0) : 0;
  const due = payment.state === 'refund_due' ? refundable(payment, all) - failed : 0;
  return due > 0 ? [...shown, toRefundDto(due, 'refund_due', payment.changedAt)] : shown;
}

/** Refunds by order number. Most orders have none. */
export async function refundDtos(
  db: Reader,
  orderNumbers: readonly number[],
): Promise<ReadonlyMap<number, readonly RefundDto[]>> {
  const payments = await db.rows(REFUNDED_OF({ orderNumbers }));
  const refunds = await refundsOf(db, payments);
  const ofOrders = Map.groupBy(payments, ({ orderNumber }) => orderNumber);
  return new Map(
    [...ofOrders].map(
      ([number, group]) => [number, group.flatMap((payment) => dtosOf(payment, refunds))] as const,
    ),
  );
}
