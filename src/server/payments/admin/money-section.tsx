import type { ReactNode } from 'react';
import { formatPaise } from '#domain/money.ts';
import { hasEnded } from '#server/admin/order-status.ts';
import { orderPath } from '#server/admin/paths.ts';
import {
  Lines,
  LinkButton,
  Notice,
  Row,
  Table,
  Time,
  Times,
  TouchLink,
} from '#server/admin/views/pieces.tsx';
import type { Reader } from '#server/db/database.ts';
import { Balance } from '#server/ledger/admin/booking.tsx';
import { isUntouched, latestBookings, maybeSameMoney } from '#server/ledger/admin/booking-pages.tsx';
import { CashAction } from '#server/ledger/admin/cash-pages.tsx';
import { ADJUSTMENT_NAMES, MONEY_LABELS, wayName } from '#server/ledger/labels.ts';
import {
  type Adjustment,
  adjustmentsOf,
  dayOf,
  isReversed,
  type Movement,
  movementsOf,
} from '#server/ledger/movements.ts';
import { refundable } from '#server/ledger/refund.ts';
import type { StoredOrder } from '#server/orders/stored-orders.ts';
import { ordersNeedingAttention } from '#server/payments/attention.ts';
import { paymentMethodText } from '#server/payments/providers/providers.ts';
import { type Attempt, attemptsOf } from '#server/payments/stored-attempts.ts';
import type { Services } from '#server/services/services.ts';
import { attentionTexts, movementName } from './money-texts.ts';

/** How many the list of orders shows. More appear as these are resolved. */
const SHOWN = 4;

/** The orders whose money needs attention, above the list of orders. Empty if there are none. */
export async function renderPaymentTasks({ db, clock }: Services): Promise<ReactNode> {
  const found = await ordersNeedingAttention(db, clock(), SHOWN + 1);
  if (found.length === 0) return '';
  const items = found.slice(0, SHOWN).map(({ order, movements, since }) => (
    <li key={order.id}>
      <p>
        <strong>{MONEY_LABELS[order.money]}</strong>, order{' '}
        <a href={orderPath(order.id)}>{order.shownNumber}</a>, <Time at={since} />.{' '}
        {attentionTexts(order, movements, clock()).join(' ')}
      </p>
      <LinkButton
        variant="quiet"
        href={`${orderPath(order.id)}#money`}
        aria-label={`Resolve: order ${order.shownNumber}`}
      >
        Resolve
      </LinkButton>
    </li>
  ));
  return (
    <Notice id="money" title="Payments that need attention">
      <ul className="m-0 grid list-none gap-4 p-0">{items}</ul>
      {found.length > SHOWN && <p>There are more. They appear as these are resolved.</p>}
    </Notice>
  );
}

/** All that was booked for an order, and was tried. */
export async function readMoney(db: Reader, { number }: StoredOrder) {
  const [movements, adjustments, attempts] = await Promise.all([
    movementsOf(db, number),
    adjustmentsOf(db, number),
    attemptsOf(db, number),
  ]);
  return { movements, adjustments, attempts };
}

export type Money = Awaited<ReturnType<typeof readMoney>>;

/** The ids that emails about an order's money have as their subject. */
export const moneySubjects = ({ movements, adjustments, attempts }: Money): string[] => [
  ...[...movements, ...adjustments].map(({ id }) => id),
  ...attempts.map(({ reference }) => reference),
];

/** What an owner can do with a row. */
function rowActions(order: StoredOrder, money: Money, row: Movement | Adjustment): ReactNode {
  const path = orderPath(order.id);
  const isFailed = 'state' in row && row.state === 'failed' && row.needsReview === 1;
  const links = [
    ...(isFailed
      ? ([
          ['Try again, or by hand', `${path}/refund?of=${row.id}`],
          ['Do not refund', `${path}/not-refunded?of=${row.id}`],
        ] as const)
      : []),
    ...('needsReview' in row && row.needsReview === 1 && !isFailed
      ? ([['Resolve', `${path}/bookings/${row.id}/review`]] as const)
      : []),
    ...(latestBookings(money).includes(row)
      ? ([['Take back', `${path}/bookings/${row.id}/take-back`]] as const)
      : []),
  ];
  return links.map(([text, href]) => (
    <TouchLink key={text} href={href}>
      {text}
    </TouchLink>
  ));
}

/** 'recorded on …' where that was later than the day on which it happened. */
const recordedLater = (happenedOn: string, at: number): string =>
  dayOf(at) > happenedOn ? `recorded ${dayOf(at)}` : '';

const movementRow = (order: StoredOrder, money: Money, row: Movement): ReactNode[] => [
  <div>
    <b className="block">{movementName(row)}</b>
    <Lines
      of={[
        wayName(row.way),
        isReversed(row, money.movements) ? 'Undone below' : '',
        row.note,
        row.providerMessage,
      ]}
    />
    {rowActions(order, money, row)}
  </div>,
  `${row.direction === 'out' ? '−' : ''}${formatPaise(row.paise)}`,
  <Lines of={[row.happenedOn, recordedLater(row.happenedOn, row.changedAt)]} />,
  <Lines of={[row.externalId ?? '', row.attempt && row.kind === 'refund' ? row.id : (row.attempt ?? '')]} />,
  row.recordedBy,
];

const adjustmentRow = (order: StoredOrder, money: Money, row: Adjustment): ReactNode[] => [
  <div>
    <b className="block">
      {row.reverses === null ? '' : 'Undone: '}
      {ADJUSTMENT_NAMES[row.kind].en}
    </b>
    <Lines of={[isReversed(row, money.adjustments) ? 'Undone below' : '', row.reason]} />
    {rowActions(order, money, row)}
  </div>,
  formatPaise(row.paise),
  <Lines of={[row.happenedOn, recordedLater(row.happenedOn, row.recordedAt)]} />,
  row.recordedBy,
];

const ATTEMPT_NAMES: Readonly<Record<Attempt['state'], string>> = {
  open: 'Started',
  failed: 'Failed',
  done: 'Paid',
};

/** The money of an order on its page: what it amounts to, its rows, and what an owner can do. */
export function renderMoney(services: Services, order: StoredOrder, money: Money): ReactNode {
  const { movements, adjustments, attempts } = money;
  const path = orderPath(order.id);
  const same = maybeSameMoney({ order, movements });
  const problems = attentionTexts(order, movements, services.clock());
  return (
    <>
      <h2 id="money">Money: {MONEY_LABELS[order.money]}</h2>
      <Balance of={order} />
      {problems.map((problem) => (
        <p key={problem}>
          <strong>{problem}</strong>
        </p>
      ))}
      {same && (
        <Notice title="Is this the same money?">
          <p>
            {formatPaise(same.paise)} was booked by hand, and a payment provider has reported a payment, too.
          </p>
          <LinkButton variant="quiet" href={`${path}/bookings/${same.id}/same-money`}>
            Look at it …
          </LinkButton>
        </Notice>
      )}
      <CashAction order={order} now={services.clock()} />
      <Row>
        <LinkButton variant="quiet" href={`${path}/payment`}>
          Book a payment …
        </LinkButton>
        {refundable(order, movements) > 0 && (
          <LinkButton variant="quiet" href={`${path}/refund`}>
            Refund …
          </LinkButton>
        )}
        {order.owedPaise > 0 && !hasEnded(order.status) && (
          <LinkButton variant="quiet" href={`${path}/lower`}>
            Lower what is owed …
          </LinkButton>
        )}
        {order.toPayPaise > 0 && !isUntouched(order) && (
          <LinkButton variant="quiet" href={`${path}/write-off`}>
            Write off …
          </LinkButton>
        )}
        {order.toRefundPaise > 0 && (
          <LinkButton variant="quiet" href={`${path}/not-refunded`}>
            Do not refund …
          </LinkButton>
        )}
        {order.paidAtDoor === 1 && order.toPayPaise > 0 && (
          <LinkButton variant="quiet" href={`${path}/not-at-the-door`}>
            Not paid at the door …
          </LinkButton>
        )}
      </Row>
      {movements.length > 0 && (
        <Table
          caption="What came and went"
          heads={['What', 'Amount', 'Day', 'Numbers', 'By']}
          rows={movements.map((row) => movementRow(order, money, row))}
        />
      )}
      {adjustments.length > 0 && (
        <Table
          caption="What is owed became less"
          heads={['What', 'Amount', 'Day', 'By']}
          rows={adjustments.map((row) => adjustmentRow(order, money, row))}
        />
      )}
      {attempts.length > 0 && (
        <Table
          caption="Payments that were started"
          heads={['State', 'Amount', 'By', 'Started', 'Numbers']}
          rows={attempts.map((attempt) => [
            <div>
              <b className="block">{ATTEMPT_NAMES[attempt.state]}</b>
              {attempt.providerMessage && `The provider said: ${attempt.providerMessage}`}
            </div>,
            formatPaise(attempt.amountPaise),
            paymentMethodText(services, attempt),
            <Times createdAt={attempt.createdAt} changedAt={attempt.changedAt} />,
            <Lines
              of={[attempt.reference, attempt.providerId, attempt.paymentId, attempt.bankReference].map(
                (id) => id ?? '',
              )}
            />,
          ])}
        />
      )}
    </>
  );
}

/** The refunds of a return. */
export const refundTable = (refunds: readonly Movement[]): ReactNode =>
  refunds.length > 0 && (
    <Table
      caption="Refunds"
      heads={['State', 'Amount', 'Reason', 'By', 'When']}
      rows={refunds.map((row) => [
        <Lines of={[movementName(row), row.providerMessage]} />,
        formatPaise(row.paise),
        row.note,
        row.recordedBy,
        <Times createdAt={row.recordedAt} changedAt={row.changedAt} />,
      ])}
    />
  );

/** What happened to the money of an order: when, what, and who. */
export const moneyEvents = (
  services: Services,
  { movements, attempts }: Money,
): (readonly [at: number, what: string, who: string])[] => [
  ...attempts.flatMap((attempt) => {
    const what = `Payment of ${formatPaise(attempt.amountPaise)}`;
    const start = [attempt.createdAt, `${what} started: ${attempt.method}`, 'Customer'] as const;
    const who = paymentMethodText(services, attempt);
    return attempt.state === 'failed'
      ? [start, [attempt.changedAt, `${what}: Failed`, who] as const]
      : [start];
  }),
  ...movements
    .filter(({ state }) => state !== 'requested')
    .map((row) => {
      const what = `${movementName(row)}: ${formatPaise(row.paise)} ${row.providerMessage}`.trim();
      return [row.changedAt, what, row.recordedBy] as const;
    }),
];
