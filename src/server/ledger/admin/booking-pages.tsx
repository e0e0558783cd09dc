import * as v from 'valibot';
import { formatPaise, toPaise } from '#domain/money.ts';
import { NEW_ORDER } from '#domain/order-status.ts';
import { text } from '#server/admin/forms/field.ts';
import { defineForm } from '#server/admin/forms/parse.ts';
import { OptionalRupeesTextSchema } from '#server/admin/forms/prices.ts';
import { hasEnded } from '#server/admin/order-status.ts';
import { orderPath } from '#server/admin/paths.ts';
import type { Reader } from '#server/db/database.ts';
import { q } from '#server/db/query.ts';
import {
  adjust,
  recordPayment,
  recount,
  reverse,
  setMovement,
  takeBookingBack,
} from '#server/ledger/book.ts';
import { wayName } from '#server/ledger/labels.ts';
import { dayOf, isFailed, isMovement, type Movement, unreversed } from '#server/ledger/movements.ts';
import { doNotRefund } from '#server/ledger/refund.ts';
import { updateOrder } from '#server/orders/stored-orders.ts';
import {
  AMOUNT,
  AMOUNT_OR_PIECES,
  amountField,
  type BookingForm,
  bookingForm,
  REASON,
  reasonField,
  rupeesOf,
  type Stake,
  WAY,
  WAY_OPTIONS,
  WHEN,
  WHEN_FIELDS,
  wrong,
} from './booking.tsx';

/** Whether a booking, or a payment at a provider, has this number of a bank or a courier. */
async function isNumberBooked(db: Reader, number: string): Promise<boolean> {
  const booked = q.selectFrom('movements').select('id').where('externalId', '=', number);
  const paid = q
    .selectFrom('paymentAttempts')
    .select('reference as id')
    .where(({ eb, or }) => or([eb('bankReference', '=', number), eb('paymentId', '=', number)]));
  return (await db.row(booked.union(paid).limit(1))) !== undefined;
}

const payment = bookingForm({
  path: 'payment',
  label: 'Book a payment',
  action: 'booked a payment',
  form: defineForm(v.object({ amount: AMOUNT, way: WAY, ...WHEN, isSure: v.boolean() }), {
    amount: amountField('Amount that came'),
    way: { label: 'How', control: 'select', options: WAY_OPTIONS },
    ...WHEN_FIELDS,
    isSure: { label: 'More than is to pay, or another payment with a booked number', control: 'checkbox' },
  }),
  intro: () => <p>The customer reads that you have this payment, and what is still to pay.</p>,
  values: ({ order }, { clock }) => ({
    amount: order.toPayPaise > 0 ? rupeesOf(order.toPayPaise) : '',
    way: order.paidAtDoor === 1 ? 'cash' : 'bank_transfer',
    day: dayOf(clock()),
  }),
  async store(book, { order }, { amount: paise, way, day, number, isSure }) {
    if (!isSure && paise > order.toPayPaise)
      return wrong('amount', `${formatPaise(order.toPayPaise)} is to pay. Tick the box below if more came.`);
    if (!isSure && number !== null && (await isNumberBooked(book.transaction, number)))
      return wrong('number', 'This number is booked already. Tick the box below if it is another payment.');
    await recordPayment(book, { way, paise, happenedOn: day, externalId: number });
    return { paise, message: `${formatPaise(paise)} is booked.` };
  },
});

const lower = bookingForm({
  path: 'lower',
  label: 'Lower what is owed',
  action: 'lowered what is owed',
  form: defineForm(v.object({ amount: AMOUNT_OR_PIECES, reason: REASON }), {
    amount: {
      ...amountField('By how much', 'Leave it empty for the price of the pieces below.'),
      isOptional: true,
    },
    reason: reasonField('The customer reads it, such as: a jar was missing.'),
  }),
  hasPieces: true,
  refuse: ({ order }) =>
    (order.owedPaise === 0 || hasEnded(order.status)) && 'Nothing is owed for this order.',
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
  async store(book, { order, lines, linesPaise }, { amount, reason }) {
    const paise = amount ?? linesPaise;
    if (paise <= 0 || paise > order.owedPaise)
      return wrong('amount', `By how much must be more than 0, and at most ${formatPaise(order.owedPaise)}`);
    if (order.status === NEW_ORDER && paise === order.owedPaise)
      return wrong('amount', 'Nothing would be left to pay. Cancel the order instead.');
    await adjust(book, { kind: 'lowered', paise, reason, lines });
    return { paise, message: `${formatPaise(paise)} less is owed.` };
  },
});

const writeOff = bookingForm({
  path: 'write-off',
  label: 'Write off',
  title: ({ order }) => `Write off ${formatPaise(order.toPayPaise)}`,
  action: 'wrote off',
  variant: 'danger',
  form: defineForm(v.object({ reason: REASON }), {
    reason: reasonField('The customer reads it, such as: the courier has lost ₹100.'),
  }),
  refuse({ order }) {
    if (order.toPayPaise === 0) return 'Nothing is to pay for this order.';
    // It would be sent for nothing.
    const isUntouched = order.status === NEW_ORDER && order.heldPaise === 0;
    return isUntouched && 'Nothing of this order was paid or sent. Cancel it instead.';
  },
  intro: ({ order }) => (
    <p>
      {formatPaise(order.toPayPaise)} will not come any more, and is owed no longer. The customer reads that
      the order costs so much less.
    </p>
  ),
  async store(book, { order }, { reason }) {
    const paise = order.toPayPaise;
    await adjust(book, { kind: 'written_off', paise, reason });
    return { paise, message: `${formatPaise(paise)} is written off.` };
  },
});

const keep = bookingForm({
  path: 'not-refunded',
  label: 'Do not refund',
  rowLabel: 'Do not refund',
  action: 'did not refund',
  variant: 'danger',
  form: defineForm(v.object({ amount: AMOUNT, reason: REASON }), {
    amount: amountField('What is not refunded'),
    reason: reasonField('The customer reads it, such as: ₹60 for the way there and back.'),
  }),
  refuse: ({ order, row }) =>
    row
      ? !isFailed(row) && 'This refund was dealt with already.'
      : order.toRefundPaise === 0 && 'Nothing of this order is to refund.',
  intro: () => <p>You keep this much of what was paid. The customer reads the amount and the reason.</p>,
  values: ({ order, row }) => ({ amount: rupeesOf(isFailed(row) ? row.paise : order.toRefundPaise) }),
  async store(book, { order, row }, { amount: paise, reason }) {
    const failed = isFailed(row) ? row : undefined;
    const max = Math.max(order.toRefundPaise, failed?.paise ?? 0);
    if (paise > max) return wrong('amount', `At most ${formatPaise(max)} is to refund.`);
    await doNotRefund(book, { failed, paise, reason });
    return { paise, message: `${formatPaise(paise)} is not refunded.` };
  },
});

const isForeign = (row: Movement): boolean => row.kind === 'payment' && row.paise === 0;

const review = bookingForm({
  path: 'bookings/:row/review',
  label: 'Resolve',
  rowLabel: 'Resolve',
  submit: 'Mark as resolved',
  action: 'resolved a payment',
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
  refuse: ({ row }) =>
    (!isMovement(row) || row.needsReview === 0 || isFailed(row)) && 'There is nothing to resolve here.',
  intro: ({ row }) => isMovement(row) && <p>{[row.note, row.providerMessage].filter(Boolean).join(' ')}</p>,
  async store(book, { order, row }, { note, rupees }) {
    if (!isMovement(row)) return { errors: new Map() };
    const message = `The payment of order ${order.shownNumber} is resolved.`;
    const paise = rupees === null ? 0 : toPaise(rupees);
    if (paise > 0 && !isForeign(row))
      return wrong('rupees', 'This payment is in rupees. Leave the field empty.');
    await setMovement(book.transaction, row.id, { needsReview: 0, note: `${row.note} ${note}`.trim() });
    if (paise === 0) {
      await recount(book);
      return { message };
    }
    const { way, attempt, happenedOn } = row;
    await recordPayment(book, { way, attempt, paise, happenedOn, note });
    return { paise, message };
  },
});

/** The latest booking of each kind that the staff have made. It can be taken back. */
export function latestBookings({ movements, adjustments }: Pick<Stake, 'movements' | 'adjustments'>) {
  const booked = unreversed(movements).filter(({ attempt, state }) => attempt === null && state === 'done');
  const less = unreversed(adjustments).filter(({ movement }) => movement === null);
  const rows: readonly NonNullable<Stake['row']>[] = [...booked, ...less];
  return rows.filter((row) => rows.findLast(({ kind }) => kind === row.kind) === row);
}

const meaning = (row: Stake['row']): string =>
  !isMovement(row)
    ? 'this was not lowered'
    : row.kind === 'payment'
      ? 'this payment did not come'
      : 'this was not given back';

const takeBack = bookingForm({
  path: 'bookings/:row/take-back',
  label: 'Take it back',
  rowLabel: 'Take back',
  title: ({ row }) => `Take back ${formatPaise(Math.abs(row?.paise ?? 0))}`,
  action: 'took back a booking',
  variant: 'danger',
  form: defineForm(v.object({ reason: REASON }), {
    reason: reasonField('Such as: it was booked for the wrong order. It stays in the log.'),
  }),
  refuse(stake) {
    const { row, movements } = stake;
    if (!row || !latestBookings(stake).includes(row))
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
  async store(book, { row }, { reason }) {
    if (!row) return { errors: new Map() };
    await takeBookingBack(book, row, { note: reason });
    const paise = Math.abs(row.paise);
    return { paise, message: `${formatPaise(paise)} is taken back.`, log: { kind: row.kind, reason } };
  },
});

/**
 * The booking by hand that may be the money which a provider reported as well: more came than the order cost. A part that was
 * booked before the rest was paid is other money.
 */
export function maybeSameMoney({ order, movements }: Pick<Stake, 'order' | 'movements'>) {
  if (order.toRefundPaise === 0 || order.receivedPaise <= order.totalPaise - order.adjustedPaise)
    return undefined;
  const payments = unreversed(movements).filter(({ kind }) => kind === 'payment');
  const byHand = payments.filter(({ attempt }) => attempt === null);
  const free = byHand.filter(({ id }) => unreversed(movements).every(({ refundOf }) => refundOf !== id));
  if (byHand.length === payments.length) return undefined;
  return free.findLast(({ paise }) => paise === order.toRefundPaise) ?? free.at(-1);
}

const sameMoney = bookingForm({
  path: 'bookings/:row/same-money',
  label: 'Is this the same money?',
  rowLabel: 'Is this the same money?',
  submit: 'Yes: undo the booking',
  action: 'undid a booking',
  form: defineForm(v.object({}), {}),
  refuse: (stake) => maybeSameMoney(stake)?.id !== stake.row?.id && 'This question is answered already.',
  intro: ({ row }) => (
    <p>
      {formatPaise(row?.paise ?? 0)} was booked by hand
      {isMovement(row) && `, ${wayName(row.way)}, ${row.happenedOn}`}. A payment provider has reported a
      payment as well. If it is the same money, the booking is undone, and nothing is to refund for it. If
      not, go back, and refund what is too much.
    </p>
  ),
  async store(book, { row }) {
    if (!isMovement(row)) return { errors: new Map() };
    const note = 'The provider reported the same money.';
    await reverse(book, row, { note });
    const { paise } = row;
    return { paise, message: `The booking of ${formatPaise(paise)} is undone.`, log: { why: note } };
  },
});

const door = bookingForm({
  path: 'not-at-the-door',
  label: 'Not paid at the door',
  submit: 'It is paid in another way',
  action: 'said that it is not paid at the door',
  form: defineForm(v.object({}), {}),
  refuse: ({ order }) =>
    (order.paidAtDoor === 0 || order.toPayPaise === 0) && 'Nothing is collected at the door for this order.',
  intro: ({ order }) => (
    <p>
      {formatPaise(order.toPayPaise)} is then no longer collected by the courier: the customer can pay it
      online, or you book what comes.
    </p>
  ),
  async store({ transaction }, { order }) {
    await updateOrder(transaction, order.number, { paidAtDoor: 0 });
    return { message: 'Nothing is collected at the door any more.' };
  },
});

/** The forms of an order, then those of its rows, as its page links to them. */
export const BOOKINGS: readonly BookingForm[] = [
  payment,
  lower,
  writeOff,
  keep,
  door,
  review,
  takeBack,
  sameMoney,
];
