import * as v from 'valibot';
import { formatPaise } from '#domain/money.ts';
import type { Errors, Field } from '#server/admin/forms/field.ts';
import { defineForm } from '#server/admin/forms/parse.ts';
import {
  AMOUNT_OR_PIECES,
  amountField,
  bookingForm,
  dayErrors,
  REASON,
  reasonField,
  rupeesOf,
  type Stake,
  WAY_OPTIONS,
  WHEN,
  WHEN_FIELDS,
  wrong,
} from '#server/ledger/admin/booking.tsx';
import type { Book } from '#server/ledger/book.ts';
import { isWay, wayName } from '#server/ledger/labels.ts';
import { dayOf, holdings, isFailed } from '#server/ledger/movements.ts';
import { type RefundRequest, refundable } from '#server/ledger/refund.ts';
import { findProvider } from '#server/payments/providers/providers.ts';
import { refundOrder } from '#server/payments/refund-order.ts';
import type { Services } from '#server/services/services.ts';

/** The choice of the form that asks the providers. */
const AT_PROVIDER = 'provider';

type Holdings = Pick<Stake, 'order' | 'movements'>;

/** The providers that hold money of the order, and cannot be asked. */
const stuckAt = (services: Services, { movements }: Pick<Holdings, 'movements'>): string[] =>
  holdings(movements).flatMap(({ payment: { attempt, way }, left }) =>
    attempt !== null && left > 0 && !findProvider(services, way) ? [wayName(way)] : [],
  );

/** How money goes back: a provider is asked, or it was given back by hand already. */
export const HOW = {
  how: v.pipe(
    v.string('Choose how'),
    v.check((how) => how === AT_PROVIDER || isWay(how), 'Choose how'),
  ),
  ...WHEN,
};

export const HOW_FIELDS = {
  how: {
    label: 'How',
    control: 'select',
    options: [
      { value: AT_PROVIDER, label: 'By the payment provider' },
      ...WAY_OPTIONS.map(({ value, label }) => ({ value, label: `Given back already: ${label}` })),
    ],
  },
  ...WHEN_FIELDS,
  day: { ...WHEN_FIELDS.day, hint: 'When it was given back by hand.' },
} as const satisfies Readonly<Record<keyof typeof HOW, Field>>;

/** The values that the fields start with: through the providers, if they hold money and can be reached. */
export const howValues = (services: Services, account: Holdings) => ({
  how:
    refundable(account.order, account.movements, false) > 0 && stuckAt(services, account).length === 0
      ? AT_PROVIDER
      : 'bank_transfer',
  day: dayOf(services.clock()),
});

/** Makes a full or partial refund, as a form with these fields says. Returns its errors, or undefined. */
export async function refundAsGiven(
  book: Book,
  services: Services,
  { order, movements }: Holdings,
  { how, day, number }: v.InferOutput<v.ObjectSchema<typeof HOW, undefined>>,
  request: Omit<RefundRequest, 'byHand'>,
): Promise<{ readonly errors: Errors } | undefined> {
  const errors = dayErrors(day, order.createdAt, services.clock());
  if (errors) return { errors };
  if (request.paise <= 0) return wrong('amount', 'Amount to refund must be more than 0');
  if (how === AT_PROVIDER && stuckAt(services, { movements }).length > 0)
    return wrong('how', 'The provider has no keys in the settings. Give it back by hand.');
  const byHand = isWay(how) ? { byHand: { way: how, happenedOn: day, externalId: number } } : {};
  const refused = await refundOrder(book, { ...request, ...byHand });
  const by = isWay(how) ? '' : ' by the provider';
  return refused && wrong('amount', `At most ${formatPaise(refused.left)} can be refunded${by}.`);
}

export const REFUND = bookingForm({
  path: 'refund',
  label: 'Refund',
  rowLabel: 'Try again, or by hand',
  action: 'refunded money',
  form: defineForm(v.object({ amount: AMOUNT_OR_PIECES, reason: REASON, ...HOW }), {
    amount: {
      ...amountField('Amount to refund', 'Leave it empty for the price of the pieces below.'),
      isOptional: true,
    },
    reason: reasonField('It stays in the log permanently. The customer does not see it.'),
    ...HOW_FIELDS,
  }),
  hasPieces: true,
  refuse: ({ order, movements, row }) =>
    row && !isFailed(row)
      ? 'This refund was dealt with already.'
      : refundable(order, movements) === 0 && 'Nothing is left to refund.',
  intro(account, services) {
    const { order, movements } = account;
    const [all, byProviders] = [refundable(order, movements), refundable(order, movements, false)];
    const stuck = stuckAt(services, account);
    return (
      <>
        <p>
          {formatPaise(all)} can be refunded, {formatPaise(byProviders)} of it by the payment provider. Cash
          and bank transfers are given back by hand: book it here afterwards. Nobody owes what is given back.
        </p>
        {stuck.length > 0 && (
          <p>
            <strong>{stuck.join(', ')} has no keys in the settings, and cannot be asked.</strong> Give it back
            by hand.
          </p>
        )}
        {order.disputedPaise > 0 && (
          <p>
            Until the bank has decided, what is in dispute cannot be refunded here: the customer would get it
            twice.
          </p>
        )}
        <p>The customer gets an email once it is refunded.</p>
      </>
    );
  },
  values: (account, services) => ({
    amount: isFailed(account.row)
      ? rupeesOf(account.row.paise)
      : account.order.toRefundPaise > 0
        ? rupeesOf(account.order.toRefundPaise)
        : '',
    reason: isFailed(account.row) ? account.row.note : '',
    ...howValues(services, account),
  }),
  async store(book, account, { amount, reason, ...given }, services) {
    const { row, lines, linesPaise } = account;
    const paise = amount ?? linesPaise;
    const failed = isFailed(row) ? { returnId: row.returnId, retryOf: row.id } : {};
    const request = { paise, reason, lines, ...failed };
    const refused = await refundAsGiven(book, services, account, given, request);
    if (refused) return refused;
    const text = formatPaise(paise);
    const { how, day, number } = given;
    return isWay(how)
      ? {
          paise,
          message: `${text} is booked as given back.`,
          log: { reason, how: wayName(how), day, ...(number && { number }) },
        }
      : { paise, message: `${text} will be refunded.`, log: { reason } };
  },
});
