import * as CURRENCY from '#domain/currency.ts';
import { type Paise, toRupees } from '#domain/money.ts';
import type { RefundState } from '#domain/order-history.ts';
import type { Reader } from '#server/db/database.ts';
import { once, q, type RowOf } from '#server/db/query.ts';
import { isoTime } from '#server/process/clock.ts';
import type { PaymentState } from './payment-state.ts';

/**
 * `key` is our id of the refund, and its idempotency key at the provider. `words` is the provider's message if it
 * refused. `byHand` is 1 if staff refunded outside the shop, such as by bank transfer. No provider is called then.
 * `noted` is 0 while the staff have still to look at it: it failed, or was made at the provider.
 */
export const REFUND = q
  .selectFrom('refunds')
  .select([
    'key',
    'reference',
    'paise',
    'reason',
    'who',
    'state',
    'words',
    'byHand',
    'createdAt',
    'changedAt',
  ])
  .select(['nextPollAt', 'polls', 'noted', 'returnId']);

/** A recorded refund: all of a payment, or a part of it. */
export type Refund = RowOf<typeof REFUND>;

/** Oldest first. */
export const refundsOf = async (db: Reader, references: readonly string[]): Promise<Refund[]> =>
  references.length === 0
    ? []
    : db.rows(REFUND.where('reference', 'in', references).orderBy('createdAt').orderBy('key'));

/** Oldest first. */
export const refundsOfReturns = async (db: Reader, returnIds: readonly string[]): Promise<Refund[]> =>
  returnIds.length === 0
    ? []
    : db.rows(REFUND.where('returnId', 'in', returnIds).orderBy('createdAt').orderBy('key'));

/**
 * What can still be refunded of a payment, in paise, whether by hand or by its provider. Every form and every check
 * uses it. A failed refund does not count.
 */
export const refundable = (
  amountPaise: Paise,
  refunds: readonly Refund[],
  disputes: readonly Dispute[] = [],
): Paise =>
  Math.max(
    0,
    refunds
      .filter(({ state }) => state !== 'refund_failed')
      .reduce((left, { paise }) => left - paise, amountPaise - disputedPaise(disputes)),
  );

/** Whether a payment in this state can be refunded. */
export const holdsMoney = (state: PaymentState): boolean =>
  state === 'paid' || state === 'refund_due' || state === 'flagged';

interface Received {
  readonly amountPaise: Paise;
  readonly receivedPaise: Paise | null;
  readonly receivedCurrency: string | null;
}

/** The money that a payment brought in, in paise. What came in another currency counts as what was asked for. */
export const receivedPaise = ({ amountPaise, receivedPaise: received, receivedCurrency }: Received): Paise =>
  receivedCurrency === CURRENCY.code ? (received ?? amountPaise) : amountPaise;

const DISPUTE = q
  .selectFrom('disputes')
  .select(['id', 'reference', 'paise', 'state', 'reason', 'respondBy', 'noted', 'changedAt']);

/** A dispute that a bank opened about a payment. */
export type Dispute = RowOf<typeof DISPUTE>;

/** Oldest first. */
export const disputesOf = async (db: Reader, references: readonly string[]): Promise<Dispute[]> =>
  references.length === 0
    ? []
    : db.rows(DISPUTE.where('reference', 'in', references).orderBy('createdAt').orderBy('id'));

/** What happened to the money of these payments. */
export const moneyOf = (db: Reader, references: readonly string[]): Promise<[Refund[], Dispute[]]> =>
  Promise.all([refundsOf(db, references), disputesOf(db, references)]);

export const isOpenDispute = ({ state }: Pick<Dispute, 'state'>): boolean =>
  state === 'open' || state === 'under_review';

/** What open disputes are about, in paise: refunded as well, it would be lost twice. */
export const disputedPaise = (disputes: readonly Dispute[]): Paise =>
  disputes.filter(isOpenDispute).reduce((sum, { paise }) => sum + paise, 0);

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

const REFUNDED_OF = once(({ orderNumbers }: { orderNumbers: readonly number[] }) =>
  REFUNDED.where('orderNumber', 'in', orderNumbers),
);

type RefundedPayment = RowOf<typeof REFUNDED>;

interface RefundDto {
  readonly amount: number;
  readonly state: RefundState;
  readonly at: string;
}

const toRefundDto = (paise: number, state: RefundState, at: number): RefundDto => ({
  amount: toRupees(paise),
  state,
  at: isoTime(at),
});

/** The refunds that the customer sees. A failed one that was retried is left out. */
function ofPayment(payment: RefundedPayment, refunds: readonly Refund[]): RefundDto[] {
  const visible = refunds.filter(
    (refund, index) => refund.state !== 'refund_failed' || index === refunds.length - 1,
  );
  const failed = visible.find((refund) => refund.state === 'refund_failed')?.paise ?? 0;
  const left = payment.state === 'refund_due' ? refundable(receivedPaise(payment), refunds) : 0;
  return [
    ...visible.map(ofRefund),
    ...(left > failed ? [toRefundDto(left - failed, 'refund_due', payment.changedAt)] : []),
  ];
}

const ofRefund = ({ paise, state, changedAt }: Refund): RefundDto => toRefundDto(paise, state, changedAt);

/** Refunds by order number. Most orders have none. */
export async function refundDtos(
  db: Reader,
  orderNumbers: readonly number[],
): Promise<ReadonlyMap<number, readonly RefundDto[]>> {
  const payments = await db.rows(REFUNDED_OF({ orderNumbers }));
  const refunds = await refundsOf(
    db,
    payments.map(({ reference }) => reference),
  );
  const dtosOf = (payment: RefundedPayment): RefundDto[] =>
    ofPayment(
      payment,
      refunds.filter(({ reference }) => reference === payment.reference),
    );
  return new Map(
    [...Map.groupBy(payments, ({ orderNumber }) => orderNumber)].map(
      ([number, group]) => [number, group.flatMap(dtosOf)] as const,
    ),
  );
}
