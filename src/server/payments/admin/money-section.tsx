import type { ReactNode } from 'react';
import { formatPaise } from '#domain/money.ts';
import type { AdminPage } from '#server/admin/page.ts';
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
import { Balance, type Stake } from '#server/ledger/admin/booking.tsx';
import { BOOKINGS, maybeSameMoney } from '#server/ledger/admin/booking-pages.tsx';
import { ADJUSTMENT_NAMES, MONEY_LABELS, wayName } from '#server/ledger/labels.ts';
import {
  type Adjustment,
  adjustmentsOf,
  dayOf,
  isMovement,
  isReversed,
  type Movement,
  movementsOf,
} from '#server/ledger/movements.ts';
import type { StoredOrder } from '#server/orders/stored-orders.ts';
import { attentionTexts, ordersNeedingAttention } from '#server/payments/attention.ts';
import { paymentMethodText } from '#server/payments/providers/providers.ts';
import { type Attempt, attemptsOf } from '#server/payments/stored-attempts.ts';
import type { Services } from '#server/services/services.ts';
import { REFUND } from './refund-pages.tsx';

const STATES: Readonly<Record<Movement['kind'], Readonly<Partial<Record<Movement['state'], string>>>>> = {
  payment: { done: 'Payment' },
  refund: { requested: 'Refund in progress', done: 'Refunded', failed: 'Refund failed' },
  dispute: { open: 'In dispute', answered: 'In dispute', won: 'Dispute won', lost: 'Dispute lost' },
};

/** Such as 'Refund failed'. */
const movementName = ({ kind, state, reverses }: Movement): string =>
  reverses === null
    ? (STATES[kind][state] ?? kind)
    : `Undone: ${(STATES[kind].done ?? STATES[kind].lost ?? kind).toLowerCase()}`;

/** Such as 'Undone: Waived'. */
const adjustmentName = ({ kind, reverses }: Adjustment): string =>
  `${reverses === null ? '' : 'Undone: '}${ADJUSTMENT_NAMES[kind].en}`;

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
      <LinkButton href={`${orderPath(order.id)}#money`} aria-label={`Resolve: order ${order.shownNumber}`}>
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

const FORMS = [...BOOKINGS, REFUND];

/** The pages of all forms that book something for an order. */
export const BOOKING_PAGES: readonly AdminPage[] = FORMS.flatMap(({ pages }) => pages);

/** The links to the forms that have something to book for an order, or for one of its rows. */
const formLinks = (stake: Stake) =>
  FORMS.flatMap(({ label, rowLabel, addressFor }) => {
    const href = addressFor(stake);
    return href === undefined ? [] : [{ text: stake.row ? rowLabel : `${label} …`, href }];
  });

/** A row of an order's money: what it is, how much, when, by which numbers, and what an owner can do with it. */
function bookedRow(stake: Stake & { readonly row: NonNullable<Stake['row']> }): ReactNode[] {
  const { row, movements, adjustments } = stake;
  const facts = isMovement(row)
    ? { ...row, name: movementName(row), texts: [row.note, row.providerMessage], at: row.changedAt }
    : { ...row, name: adjustmentName(row), texts: [row.reason], at: row.recordedAt };
  const { name, texts, at, happenedOn, paise, recordedBy } = facts;
  const isUndone = isReversed(row, isMovement(row) ? movements : adjustments);
  return [
    <div>
      <b className="block">{name}</b>
      <Lines of={[isMovement(row) ? wayName(row.way) : '', isUndone ? 'Undone below' : '', ...texts]} />
      {formLinks(stake).map(({ text, href }) => (
        <TouchLink key={href} href={href}>
          {text}
        </TouchLink>
      ))}
    </div>,
    `${isMovement(row) && row.direction === 'out' ? '−' : ''}${formatPaise(paise)}`,
    <Lines of={[happenedOn, dayOf(at) > happenedOn ? `recorded ${dayOf(at)}` : '']} />,
    isMovement(row) && (
      <Lines
        of={[row.externalId ?? '', row.attempt && row.kind === 'refund' ? row.id : (row.attempt ?? '')]}
      />
    ),
    recordedBy,
  ];
}

const ATTEMPT_NAMES: Readonly<Record<Attempt['state'], string>> = {
  open: 'Started',
  failed: 'Failed',
  done: 'Paid',
};

/** The money of an order on its page: what it amounts to, its rows, and what an owner can do. */
export function renderMoney(services: Services, order: StoredOrder, money: Money): ReactNode {
  const { movements, adjustments, attempts } = money;
  const stake = { order, movements, adjustments, row: undefined };
  const same = maybeSameMoney(stake);
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
          <p>Look at that booking below.</p>
        </Notice>
      )}
      <Row>
        {formLinks(stake).map(({ text, href }) => (
          <LinkButton key={href} href={href}>
            {text}
          </LinkButton>
        ))}
      </Row>
      {[
        { caption: 'What came and went', rows: movements },
        { caption: 'What is owed became less', rows: adjustments },
      ].map(
        ({ caption, rows }) =>
          rows.length > 0 && (
            <Table
              key={caption}
              caption={caption}
              heads={['What', 'Amount', 'Day', 'Numbers', 'By']}
              rows={rows.map((row) => bookedRow({ ...stake, row }))}
            />
          ),
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
