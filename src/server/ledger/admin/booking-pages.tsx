import * as v from 'valibot';
import { formatPaise, toPaise } from '#domain/money.ts';
import { NEW_ORDER } from '#domain/order-status.ts';
import { text } from '#server/admin/forms/field.ts';
import { defineForm } from '#server/admin/forms/parse.ts';
import { OptionalRupeesTextSchema } from '#server/admin/forms/prices.ts';
import { hasEnded } from '#server/admin/order-status.ts';
import type { AdminPage } from '#server/admin/page.ts';
import { orderPath } from '#server/admin/paths.ts';
import type { Reader } from '#server/db/database.ts';
import { q } from '#server/db/query.ts';
import {
  adjust,
  recordPayment,
  recount,
  reverseMovement,
  setMovement,
  takeBookingBack,
} from '#server/ledger/book.ts';
import { wayName } from '#server/ledger/labels.ts';
import { dayOf, type Movement, unreversed } from '#server/ledger/movements.ts';
import { doNotRefund } from '#server/ledger/refund.ts';
import { setPaidAtDoor } from '#server/orders/stored-orders.ts';
import {
  type Account,
  AMOUNT,
  AMOUNT_OR_PIECES,
  amountField,
  bookingPages,
  DAY,
  DAY_FIELD,
  dayErrors,
  EXTERNAL_ID,
  EXTERNAL_ID_FIELD,
  Pieces,
  REASON,
  reasonField,
  rupeesOf,
  WAY,
  WAY_OPTIONS,
} from './booking.tsx';

/** Whether another booking has the same number of a bank or a courier. */
async function isNumberBooked(db: Reader, externalId: string | null): Promise<boolean> {
  const found = q
    .selectFrom('movements')
    .select('id')
    .where('externalId', '=', externalId ?? '');
  return externalId !== null && (await db.row(found.limit(1))) !== undefined;
}

const payment = bookingPages({
  path: 'payment',
  form: defineForm(
    v.object({ amount: AMOUNT, way: WAY, day: DAY, number: EXTERNAL_ID, isOther: v.boolean() }),
    {
      amount: amountField('Amount that came'),
      way: { label: 'How', control: 'select', options: WAY_OPTIONS },
      day: DAY_FIELD,
      number: EXTERNAL_ID_FIELD,
      isOther: { label: 'It is another payment, even if the number is booked already', control: 'checkbox' },
    },
  ),
  title: ({ order }) => `Book a payment: order ${order.shownNumber}`,
  submit: 'Book the payment',
  intro: () => <p>The customer reads that you have this payment, and what is still to pay.</p>,
  values: ({ order }, { clock }) => ({
    amount: order.toPayPaise > 0 ? rupeesOf(order.toPayPaise) : '',
    way: 'bank_transfer',
    day: dayOf(clock()),
  }),
  async store(transaction, services, { order }, { amount: paise, way, day, number, isOther }, recordedBy) {
    const errors = dayErrors(day, services.clock());
    if (errors) return { errors };
    if (!isOther && (await isNumberBooked(transaction, number)))
      return {
        errors: new Map([['number', 'This number is booked already. Tick the box below if it is another.']]),
      };
    const row = { way, paise, recordedBy, happenedOn: day, externalId: number };
    await recordPayment(transaction, services, order.number, row);
    const amount = formatPaise(paise);
    return {
      message: `${amount} is booked.`,
      log: { action: 'booked a payment', to: { amount, how: wayName(way), day, ...(number && { number }) } },
    };
  },
});

const lower = bookingPages({
  path: 'lower',
  form: defineForm(v.object({ amount: AMOUNT_OR_PIECES, reason: REASON }), {
    amount: {
      ...amountField('By how much', 'Leave it empty for the price of the pieces below.'),
      isOptional: true,
    },
    reason: reasonField('The customer reads it, such as: a jar was missing.'),
  }),
  title: ({ order }) => `Lower what is owed: order ${order.shownNumber}`,
  submit: 'Lower what is owed',
  refuse: ({ order }) => order.owedPaise === 0 && 'Nothing is owed for this order.',
  intro: ({ order }) => (
    <>
      <p>
        The customer reads the new amount and the reason. What was paid beyond it is then to refund: press
        Refund on the order&#39;s page.
      </p>
      {order.status === NEW_ORDER && (
        <p>
          Nothing is to be sent at all? <a href={`${orderPath(order.id)}/cancel`}>Cancel the order</a>{' '}
          instead.
        </p>
      )}
    </>
  ),
  fieldsBelow: Pieces,
  async store(transaction, services, { order, lines, linesPaise }, { amount, reason }, recordedBy) {
    const paise = amount ?? linesPaise;
    const most = `must be more than 0, and at most ${formatPaise(order.owedPaise)}`;
    if (paise <= 0 || paise > order.owedPaise)
      return { errors: new Map([['amount', `By how much ${most}`]]) };
    if (order.status === NEW_ORDER && paise === order.owedPaise)
      return { errors: new Map([['amount', 'Nothing would be left to pay. Cancel the order instead.']]) };
    await adjust(transaction, services, order.number, { kind: 'lowered', paise, reason, lines, recordedBy });
    const by = formatPaise(paise);
    return {
      message: `${by} less is owed.`,
      log: { action: 'lowered what is owed', to: { amount: by, reason } },
    };
  },
});

/** Writing all of it off would send it for nothing. */
export const isUntouched = ({ status, heldPaise }: Account['order']): boolean =>
  status === NEW_ORDER && heldPaise === 0;

const writeOff = bookingPages({
  path: 'write-off',
  form: defineForm(v.object({ reason: REASON }), {
    reason: reasonField('The customer reads it, such as: the courier has lost ₹100.'),
  }),
  title: ({ order }) => `Write off ${formatPaise(order.toPayPaise)}: order ${order.shownNumber}?`,
  submit: 'Write off',
  variant: 'danger',
  refuse: ({ order }) =>
    order.toPayPaise === 0
      ? 'Nothing is to pay for this order.'
      : isUntouched(order) && 'Nothing of this order was paid or sent. Cancel it instead.',
  intro: ({ order }) => (
    <p>
      {formatPaise(order.toPayPaise)} will not come any more, and is owed no longer. The customer reads that
      the order costs so much less.
    </p>
  ),
  async store(transaction, services, { order }, { reason }, recordedBy) {
    const paise = order.toPayPaise;
    await adjust(transaction, services, order.number, { kind: 'written_off', paise, reason, recordedBy });
    const amount = formatPaise(paise);
    return {
      message: `${amount} is written off.`,
      log: { action: 'wrote off', to: { amount, reason } },
    };
  },
});

const isMovement = (row: Account['row']): row is Movement => row !== undefined && 'direction' in row;

const keep = bookingPages({
  path: 'not-refunded',
  form: defineForm(v.object({ amount: AMOUNT, reason: REASON }), {
    amount: amountField('What is not refunded'),
    reason: reasonField('The customer reads it, such as: ₹60 for the way there and back.'),
  }),
  title: ({ order }) => `Do not refund: order ${order.shownNumber}`,
  submit: 'Do not refund',
  variant: 'danger',
  refuse: ({ order, row }) => order.toRefundPaise === 0 && !row && 'Nothing of this order is to refund.',
  intro: () => <p>You keep this much of what was paid. The customer reads the amount and the reason.</p>,
  values: ({ order, row }) => ({
    amount: rupeesOf(isMovement(row) ? row.paise : order.toRefundPaise),
  }),
  async store(transaction, services, { order, row }, { amount: paise, reason }, recordedBy) {
    const failed = isMovement(row) && row.state === 'failed' ? row : undefined;
    const max = Math.max(order.toRefundPaise, failed?.paise ?? 0);
    if (paise > max) return { errors: new Map([['amount', `At most ${formatPaise(max)} is to refund.`]]) };
    await doNotRefund(transaction, services, order.number, { failed, paise, reason, recordedBy });
    const amount = formatPaise(paise);
    return {
      message: `${amount} is not refunded.`,
      log: { action: 'did not refund', to: { amount, reason } },
    };
  },
});

/** The latest booking of each kind that the staff have made. It can be taken back. */
export function latestBookings({ movements, adjustments }: Pick<Account, 'movements' | 'adjustments'>) {
  const booked = unreversed(movements).filter(({ attempt, state }) => attempt === null && state === 'done');
  const less = unreversed(adjustments).filter(({ movement }) => movement === null);
  const rows: readonly NonNullable<Account['row']>[] = [...booked, ...less];
  return rows.filter((row) => rows.findLast(({ kind }) => kind === row.kind) === row);
}

const TAKEN_BACK = {
  payment: 'this payment did not come',
  refund: 'this was not given back',
  other: 'this was not lowered',
} as const;

const meaning = (row: Account['row']): string =>
  row?.kind === 'payment' || (row?.kind === 'refund' && isMovement(row))
    ? TAKEN_BACK[row.kind]
    : TAKEN_BACK.other;

const takeBack = bookingPages({
  path: 'bookings/:row/take-back',
  form: defineForm(v.object({ reason: REASON }), {
    reason: reasonField('Such as: it was booked for the wrong order. It stays in the log.'),
  }),
  title: ({ order, row }) =>
    `Take back ${formatPaise(Math.abs(row?.paise ?? 0))}: order ${order.shownNumber}?`,
  submit: 'Take it back',
  variant: 'danger',
  refuse(account) {
    const { row, movements } = account;
    if (!row || !latestBookings(account).includes(row))
      return 'Only the latest booking of its kind can be taken back.';
    const isRefunded = unreversed(movements).some(
      ({ refundOf, state }) => refundOf === row.id && state !== 'failed' && state !== 'won',
    );
    return isRefunded && 'This payment was refunded since. Take that back first.';
  },
  intro: ({ row }) => (
    <p>
      It means that {meaning(row)}. The booking stays, and another one undoes it today. A customer who was
      already written to gets a correction by email.
    </p>
  ),
  async store(transaction, services, { row }, { reason }, recordedBy) {
    if (!row) return { errors: new Map() };
    await takeBookingBack(transaction, services, row, { recordedBy, note: reason });
    const amount = formatPaise(Math.abs(row.paise));
    return {
      message: `${amount} is taken back.`,
      log: { action: 'took back a booking', to: { amount, kind: row.kind, reason } },
    };
  },
});

/**
 * The booking by hand that may be the money which a provider reported as well: more came than the order cost. A part that was
 * booked before the rest was paid is other money.
 */
export function maybeSameMoney({
  order,
  movements,
}: Pick<Account, 'order' | 'movements'>): Movement | undefined {
  if (order.toRefundPaise === 0 || order.receivedPaise <= order.totalPaise - order.adjustedPaise)
    return undefined;
  const payments = unreversed(movements).filter(({ kind }) => kind === 'payment');
  const byHand = payments.filter(({ attempt }) => attempt === null);
  const free = byHand.filter(({ id }) => unreversed(movements).every(({ refundOf }) => refundOf !== id));
  if (byHand.length === payments.length) return undefined;
  return free.findLast(({ paise }) => paise === order.toRefundPaise) ?? free.at(-1);
}

const sameMoney = bookingPages({
  path: 'bookings/:row/same-money',
  form: defineForm(v.object({}), {}),
  title: ({ order }) => `Is this the same money? Order ${order.shownNumber}`,
  submit: 'Yes: undo the booking',
  refuse: (account) =>
    maybeSameMoney(account)?.id !== account.row?.id && 'This question is answered already.',
  intro: ({ row }) => (
    <p>
      {formatPaise(row?.paise ?? 0)} was booked by hand
      {isMovement(row) && `, ${wayName(row.way)}, ${row.happenedOn}`}. A payment provider has reported a
      payment as well. If it is the same money, the booking is undone, and nothing is to refund for it. If
      not, go back, and refund what is too much.
    </p>
  ),
  async store(transaction, services, { row }, _output, recordedBy) {
    if (!isMovement(row)) return { errors: new Map() };
    const note = 'The provider reported the same money.';
    await reverseMovement(transaction, services, row, { recordedBy, note });
    const amount = formatPaise(row.paise);
    return {
      message: `The booking of ${amount} is undone.`,
      log: { action: 'undid a booking', to: { amount, why: note } },
    };
  },
});

const isForeign = (row: Account['row']): boolean =>
  isMovement(row) && row.kind === 'payment' && row.paise === 0;

const review = bookingPages({
  path: 'bookings/:row/review',
  form: defineForm(
    v.object({ note: v.pipe(text(300), v.nonEmpty('must not be empty')), rupees: OptionalRupeesTextSchema }),
    {
      note: {
        label: 'What was done',
        hint: 'Such as: we keep it, the customer knows. It stays in the log.',
        control: 'text',
        autocomplete: 'off',
      },
      rupees: {
        ...amountField(
          'What it is in rupees',
          'Only of a payment in another currency, or whose amount could not be read.',
        ),
        isOptional: true,
      },
    },
  ),
  title: ({ order }) => `Looked at: order ${order.shownNumber}`,
  submit: 'Mark as resolved',
  refuse: ({ row }) => (!isMovement(row) || row.needsReview === 0) && 'This was resolved already.',
  intro: ({ row }) => isMovement(row) && <p>{[row.note, row.providerMessage].filter(Boolean).join(' ')}</p>,
  async store(transaction, services, { order, row }, { note, rupees }, recordedBy) {
    if (!isMovement(row)) return { errors: new Map() };
    const paise = rupees === null ? 0 : toPaise(rupees);
    if (paise > 0 && !isForeign(row))
      return { errors: new Map([['rupees', 'This payment is in rupees. Leave the field empty.']]) };
    await setMovement(transaction, row.id, { needsReview: 0, note: `${row.note} ${note}`.trim() });
    if (paise > 0) {
      const { way, attempt, happenedOn } = row;
      const given = { way, attempt, paise, recordedBy, happenedOn, note };
      await recordPayment(transaction, services, order.number, given);
    } else await recount(transaction, services, order.number);
    return {
      message: `The payment of order ${order.shownNumber} is resolved.`,
      log: {
        action: 'resolved a payment',
        to: { note, ...(paise > 0 ? { amount: formatPaise(paise) } : {}) },
      },
    };
  },
});

const door = bookingPages({
  path: 'not-at-the-door',
  form: defineForm(v.object({}), {}),
  title: ({ order }) => `Order ${order.shownNumber} is not paid at the door any more?`,
  submit: 'It is paid in another way',
  refuse: ({ order }) =>
    (order.paidAtDoor === 0 || hasEnded(order.status)) && 'Nothing is collected at the door for this order.',
  intro: ({ order }) => (
    <p>
      {formatPaise(order.toPayPaise)} is then no longer collected by the courier: the customer can pay it
      online, or you book what comes.
    </p>
  ),
  async store(transaction, _services, { order }) {
    await setPaidAtDoor(transaction, order.number, 0);
    return {
      message: 'Nothing is collected at the door any more.',
      log: { action: 'said that it is not paid at the door', to: {} },
    };
  },
});

export const BOOKING_PAGES: readonly AdminPage[] = [
  ...payment,
  ...lower,
  ...writeOff,
  ...keep,
  ...takeBack,
  ...sameMoney,
  ...review,
  ...door,
];
