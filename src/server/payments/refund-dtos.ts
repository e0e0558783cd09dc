import { toRupees } from '#domain/money.ts';
import type { RefundState } from '#domain/order-history.ts';
import type { Reader } from '#server/db/database.ts';
import { once, q, type RowOf } from '#server/db/query.ts';
import { isoTime } from '#server/process/clock.ts';
import { type Refund, refundable, refundsOf } from './refunds.ts';

const REFUNDED = q
  .selectFrom('payments')
  .select(['reference', 'orderNumber', 'state', 'amountPaise', 'changedAt'])
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
function ofPayment(
  { state, amountPaise, changedAt }: RefundedPayment,
  refunds: readonly Refund[],
): RefundDto[] {
  const visible = refunds.filter(
    (refund, index) => refund.state !== 'refund_failed' || index === refunds.length - 1,
  );
  const failed = visible.find((refund) => refund.state === 'refund_failed')?.paise ?? 0;
  const left = state === 'refund_due' ? refundable(amountPaise, refunds) : 0;
  return [
    ...visible.map(ofRefund),
    ...(left > failed ? [toRefundDto(left - failed, 'refund_due', changedAt)] : []),
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
