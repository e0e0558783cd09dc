import * as CURRENCY from '#domain/currency.ts';
import { formatMoment } from '#domain/date.ts';
import { formatPaise, plainAmount } from '#domain/money.ts';
import { standing } from '#server/admin/order-status.ts';
import type { PaymentState } from '#server/db/tables.ts';
import { isProblem } from '#server/payments/payment-state.ts';
import { type MoneyState, type Payment, receivedOf } from '#server/payments/stored-payments.ts';
import { isDispute, isOpenDispute, type Refund } from '#server/payments/stored-refunds.ts';
import { isoTime } from '#server/process/clock.ts';

export const STATE_NAMES: Readonly<Record<MoneyState, string>> = {
  started: 'Started',
  to_collect: 'To collect',
  failed: 'Failed',
  paid: 'Paid',
  flagged: 'Wrong amount',
  refund_due: 'Refund due',
  refunded: 'Refunded',
  disputed: 'In dispute',
  partially_refunded: 'Partially refunded',
};

export const REFUND_NAMES: Readonly<Record<Refund['state'], string>> = {
  refunding: 'Refund in progress',
  refunded: 'Refunded',
  refund_failed: 'Refund failed',
  disputed: 'In dispute',
  under_review: 'In dispute',
  won: 'Dispute won',
  lost: 'Dispute lost',
  closed: 'Dispute closed',
};

function reportedText({ receivedPaise, receivedCurrency }: Payment): string {
  if (receivedPaise === null) return 'The amount that was reported cannot be read.';
  if (receivedCurrency === CURRENCY.code) return `${formatPaise(receivedPaise)} was reported.`;
  return `${plainAmount(receivedPaise)} ${receivedCurrency || 'without a currency'} was reported.`;
}

/** Why a payment needs attention. */
export function attentionText(payment: Payment): string {
  const amount = formatPaise(payment.amountPaise);
  if (payment.state === 'flagged') return `${amount} was expected. ${reportedText(payment)}`;
  return `${amount} was paid and must be refunded: the order ${standing(payment.orderStatus)}.`;
}

/** What the staff should know of a refund or a dispute. It follows the amount. */
const NEWS: Readonly<Record<Refund['state'], (refund: Refund) => string>> = {
  refunding: ({ who }) => `is being refunded at ${who}, not here.`,
  refunded: ({ who }) => `was refunded at ${who}, not here.`,
  refund_failed: ({ reason, words }) => `could not be refunded (${reason}): ${words.replace(/\.?$/, '.')}`,
  disputed: ({ reason, respondBy }) =>
    `is in dispute: the bank gives it back to the payer unless you answer at the provider${because(reason)}${
      respondBy === null ? '' : ` Answer by ${formatMoment(isoTime(respondBy))}.`
    }`,
  under_review: ({ reason }) => `is in dispute: the bank looks at your answer${because(reason)}`,
  won: ({ reason }) => `was in dispute, and stays with you: you won${because(reason)}`,
  lost: ({ reason }) => `was in dispute, and the bank took it back: you lost${because(reason)}`,
  closed: ({ reason }) => `was in dispute, which is closed${because(reason)}`,
};

const because = (reason: string): string => (reason ? ` (${reason}).` : '.');

const newsText = (refund: Refund): string => `${formatPaise(refund.paise)} ${NEWS[refund.state](refund)}`;

const ofPayment = ({ reference }: Payment, refunds: readonly Refund[]): Refund[] =>
  refunds.filter((refund) => refund.reference === reference);

/** The state of a payment, or that a refund of it has failed. */
export function stateName(payment: Payment, refunds: readonly Refund[]): string {
  const isFailed = ({ state, noted }: Refund) => state === 'refund_failed' && noted === 0;
  const { state, moneyState } = payment;
  return state === 'paid' && moneyState !== 'disputed' && ofPayment(payment, refunds).some(isFailed)
    ? REFUND_NAMES.refund_failed
    : STATE_NAMES[moneyState];
}

/** Why a payment needs attention: by itself, and for each of its refunds and disputes that the staff have not noted. */
export function attentionTexts(payment: Payment, refunds: readonly Refund[]): string[] {
  const own = ofPayment(payment, refunds);
  const isDue =
    isProblem(payment.state) &&
    payment.resolvedAt === null &&
    own.every(({ state }) => state !== 'refunding');
  return [
    ...(isDue ? [attentionText(payment)] : []),
    ...own.filter(({ noted }) => noted === 0).map(newsText),
  ];
}

/** What else the staff should know of a payment: the provider's words, a discount, and disputes that were noted. */
export function paymentNotes(payment: Payment, refunds: readonly Refund[]): string[] {
  const { amountPaise, words, state } = payment;
  const discount = state === 'flagged' ? 0 : amountPaise - receivedOf(payment);
  const noted = ofPayment(payment, refunds).filter((refund) => isDispute(refund) && refund.noted === 1);
  return [
    ...(words ? [`The provider said: ${words}`] : []),
    ...(discount > 0 ? [`${formatPaise(receivedOf(payment))} came: the provider gave a discount.`] : []),
    ...noted.map(newsText),
  ];
}

/** Why an order should not be shipped as if nothing had happened, as sentences. */
export function shippingWarnings(payments: readonly Payment[], refunds: readonly Refund[]): string[] {
  const has = (...states: readonly PaymentState[]) => payments.some(({ state }) => states.includes(state));
  const isRefunded = has('refunded') && !has('paid', 'to_collect');
  return [
    ...refunds.filter((refund) => isOpenDispute(refund) || refund.state === 'lost').map(newsText),
    ...(isRefunded ? ['What was paid for this order was refunded.'] : []),
  ];
}
