import * as v from 'valibot';
import { formatPaise, type Paise } from '#domain/money.ts';
import type { Errors, Field } from '#server/admin/forms/field.ts';
import { defineForm } from '#server/admin/forms/parse.ts';
import type { AdminPage } from '#server/admin/page.ts';
import {
  type Account,
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
  WAY_OPTIONS,
} from '#server/ledger/admin/booking.tsx';
import { isWay, wayName } from '#server/ledger/labels.ts';
import { dayOf, holdings, type Movement } from '#server/ledger/movements.ts';
import { type RefundRequest, refundable } from '#server/ledger/refund.ts';
import { findProvider } from '#server/payments/providers/providers.ts';
import { refundOrder } from '#server/payments/refund-order.ts';
import type { Services } from '#server/services/services.ts';

/** The choice of the form that asks the providers. */
const AT_PROVIDER = 'provider';

type Holdings = Pick<Account, 'order' | 'movements'>;

/** The failed refund that the form tries again, or makes by hand. */
const failedOf = ({ row, movements }: Account): Movement | undefined =>
  movements.find(({ id, state, needsReview }) => id === row?.id && state === 'failed' && needsReview === 1);

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
  day: DAY,
  number: EXTERNAL_ID,
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
  day: { ...DAY_FIELD, hint: 'When it was given back by hand.' },
  number: EXTERNAL_ID_FIELD,
} as const satisfies Readonly<Record<keyof typeof HOW, Field>>;

interface Given {
  readonly how: string;
  readonly day: string;
  readonly number: string | null;
}

/** What these fields say to `recordRefund`. */
export const byHandOf = ({ how, day, number }: Given): Pick<RefundRequest, 'byHand'> =>
  isWay(how) ? { byHand: { way: how, happenedOn: day, externalId: number } } : {};

/** What these fields begin with: by the providers, if they hold money and can be asked. */
export const howValues = (services: Services, account: Holdings) => ({
  how:
    refundable(account.order, account.movements, false) > 0 && stuckAt(services, account).length === 0
      ? AT_PROVIDER
      : 'bank_transfer',
  day: dayOf(services.clock()),
});

/** The errors of these fields. */
export const howErrors = (services: Services, account: Holdings, { how, day }: Given): Errors | undefined =>
  how === AT_PROVIDER && stuckAt(services, account).length > 0
    ? new Map([['how', 'The provider has no keys in the settings. Give it back by hand.']])
    : dayErrors(day, services.clock());

/** Why an amount was refused. */
export const tooMuchText = ({ how }: Given, left: Paise): string =>
  `At most ${formatPaise(left)} can be refunded${how === AT_PROVIDER ? ' by the provider' : ''}.`;

export const REFUND_PAGES: readonly AdminPage[] = bookingPages({
  path: 'refund',
  form: defineForm(
    v.object({
      amount: AMOUNT_OR_PIECES,
      reason: REASON,
      ...HOW,
    }),
    {
      amount: {
        ...amountField('Amount to refund', 'Leave it empty for the price of the pieces below.'),
        isOptional: true,
      },
      reason: reasonField('It stays in the log permanently. The customer does not see it.'),
      ...HOW_FIELDS,
    },
  ),
  title: ({ order }) => `Refund: order ${order.shownNumber}`,
  submit: 'Refund',
  refuse: (account) =>
    account.row && !failedOf(account)
      ? 'This refund was dealt with already.'
      : refundable(account.order, account.movements) === 0 && 'Nothing is left to refund.',
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
  values(account, services) {
    const { order } = account;
    const failed = failedOf(account);
    return {
      amount: failed ? rupeesOf(failed.paise) : order.toRefundPaise > 0 ? rupeesOf(order.toRefundPaise) : '',
      reason: failed?.note ?? '',
      ...howValues(services, account),
    };
  },
  fieldsBelow: Pieces,
  async store(transaction, services, account, { amount, reason, ...given }, recordedBy) {
    const { order, lines, linesPaise } = account;
    const { how, day, number } = given;
    const failed = failedOf(account);
    const paise = amount ?? linesPaise;
    const errors = howErrors(services, account, given);
    if (errors) return { errors };
    if (paise <= 0) return { errors: new Map([['amount', 'Amount to refund must be more than 0']]) };
    const refused = await refundOrder(transaction, services, order.number, {
      paise,
      reason,
      recordedBy,
      lines,
      returnId: failed?.returnId ?? null,
      ...(failed ? { retryOf: failed.id } : {}),
      ...byHandOf(given),
    });
    if (refused) return { errors: new Map([['amount', tooMuchText(given, refused.left)]]) };
    const text = formatPaise(paise);
    return {
      message: how === AT_PROVIDER ? `${text} will be refunded.` : `${text} is booked as given back.`,
      log: {
        action: 'refunded money',
        to: {
          amount: text,
          reason,
          ...(isWay(how) ? { how: wayName(how), day } : {}),
          ...(number && isWay(how) ? { number } : {}),
        },
      },
    };
  },
});
