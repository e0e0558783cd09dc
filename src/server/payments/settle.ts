import * as CURRENCY from '#domain/currency.ts';
import { formatPaise, plainAmount } from '#domain/money.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { type Book, confirmPayment, lockAccount, recordPayment } from '#server/ledger/book.ts';
import { dayOf, type Movement, movementsOf } from '#server/ledger/movements.ts';
import { recordReported } from '#server/ledger/reported.ts';
import type { Services } from '#server/services/services.ts';
import { notifyStaff } from '#server/staff/notifications.ts';
import { PAYMENT_EMAILS } from './emails.ts';
import { MONEY_POLLED_FOR, type PaymentReport } from './providers/provider.ts';
import { findProvider } from './providers/providers.ts';
import { refundBySetting } from './refund-order.ts';
import {
  type Attempt,
  findAttempt,
  lockAttempt,
  MONEY_POLLED_EVERY,
  nextPoll,
  REFUNDS_POLLED_AFTER,
  setAttempt,
} from './stored-attempts.ts';

/** What a report says of the money that came, and whether it is what was asked for. */
function moneyIn({ amountPaise, currency }: Attempt, report: PaymentReport) {
  const { receivedPaise = report.amountPaise, hasOffer = false } = report;
  const isForeign = report.currency !== CURRENCY.code;
  const isRequested = report.amountPaise === amountPaise && report.currency === currency;
  const difference = amountPaise - (receivedPaise ?? 0);
  if (isRequested && receivedPaise !== undefined && (difference === 0 || (difference > 0 && hasOffer)))
    return { paise: receivedPaise, offerPaise: difference, needsReview: 0, note: '' };
  const came = isForeign
    ? `${plainAmount(receivedPaise ?? 0)} ${report.currency || 'without a currency'} was reported.`
    : `${formatPaise(receivedPaise ?? 0)} was reported.`;
  const text = receivedPaise === undefined ? 'The amount that was reported cannot be read.' : came;
  const note = `${formatPaise(amountPaise)} was expected. ${text}`;
  return { paise: isForeign ? 0 : (receivedPaise ?? 0), offerPaise: 0, needsReview: 1, note };
}

/** Whether a report is about money that is recorded already. The first may have come without the provider's id of it. */
const isRecorded = (
  { paymentId: known }: Attempt,
  payments: readonly Movement[],
  { paymentId }: PaymentReport,
): boolean =>
  payments.some(
    ({ externalId }) =>
      paymentId === undefined ||
      externalId === paymentId ||
      (externalId === null && (known === null || known === paymentId)),
  );

/**
 * When to poll an attempt after a report, in ms since 1970; null if it can no longer be paid. Money that came is polled for
 * disputes, and for refunds, more often while one is in progress.
 */
function nextPollAfter(
  report: PaymentReport,
  { createdAt, nextPollAt }: Attempt,
  state: Attempt['state'],
  movements: readonly Movement[],
  now: number,
): number | null {
  const { outcome } = report;
  // A webhook came while the provider was polled.
  if (nextPollAt !== null && nextPollAt <= now) return nextPollAt;
  const requested = movements.findLast((row) => row.state === 'requested');
  // A webhook may have reported refunds or disputes before this poll found the payment: poll for them, too.
  if (report.isPolled && outcome === 'succeeded') return now + REFUNDS_POLLED_AFTER;
  if (requested) return nextPoll(requested.recordedAt, now);
  if (state === 'done') return now - createdAt < MONEY_POLLED_FOR ? now + MONEY_POLLED_EVERY : null;
  return outcome === 'ended' ? null : nextPoll(createdAt, now);
}

function stateAfter({ state }: Attempt, { outcome }: PaymentReport): Attempt['state'] {
  if (outcome === 'succeeded' || state === 'done') return 'done';
  return outcome === 'open' ? state : 'failed';
}

/** Records the money that a report brings. Returns whether staff have to look at it, and what is too much. */
async function recordMoney(book: Book, attempt: Attempt, report: PaymentReport) {
  const money = moneyIn(attempt, report);
  const { before, order } = await recordPayment(book, {
    ...money,
    way: attempt.provider,
    attempt: attempt.reference,
    externalId: report.paymentId ?? null,
    ...(report.at === undefined ? {} : { happenedOn: dayOf(report.at) }),
  });
  const isRight = money.needsReview === 0;
  return { isRight, excess: isRight ? Math.min(money.paise - before.toPayPaise, order.toRefundPaise) : 0 };
}

/** Accepts a smaller amount if the webhook explains it by an offer of the provider. Polls do not report offers. */
async function confirmByOffer(
  book: Book,
  attempt: Attempt,
  report: PaymentReport,
  payments: readonly Movement[],
): Promise<void> {
  const toReview = payments.find(({ needsReview }) => needsReview === 1);
  const { needsReview, paise, offerPaise } = moneyIn(attempt, report);
  if (toReview?.paise === paise && needsReview === 0) await confirmPayment(book, toReview.id, offerPaise);
}

/**
 * Stores a provider's report of an attempt, from a webhook, the shopper's return or a poll. Repeated reports change nothing. A
 * report of another provider than the attempt's own is rejected.
 * @param provider the name of the provider that reports
 */
export async function settlePayment(
  services: Services,
  provider: string,
  reference: string,
  report: PaymentReport,
): Promise<void> {
  const { db, clock, log, metrics } = services;
  const { title = provider } = findProvider(services, provider) ?? {};
  const result = await db.write(async (transaction) => {
    const found = await findAttempt(transaction, reference);
    if (!found) return 'unknown';
    if (found.provider !== provider) return 'foreign';
    const { orderNumber } = found;
    const book = { transaction, services, orderNumber, recordedBy: title };
    await lockAccount(transaction, orderNumber);
    const attempt = await lockAttempt(transaction, reference);
    if (!attempt) return 'unknown';
    const ownRows = async () =>
      (await movementsOf(transaction, orderNumber)).filter((row) => row.attempt === reference);
    const payments = (await ownRows()).filter(({ kind }) => kind === 'payment');
    const isNew = report.outcome === 'succeeded' && !isRecorded(attempt, payments, report);
    const { isRight = true, excess = 0 } = isNew ? await recordMoney(book, attempt, report) : {};
    if (!isNew && report.hasOffer) await confirmByOffer(book, attempt, report, payments);
    let isNews = !isRight;
    const state = stateAfter(attempt, report);
    const now = clock();
    if (state === 'failed' && attempt.state === 'open')
      await queueEmail(transaction, services, PAYMENT_EMAILS.failed, reference);
    // Without its payment, a refund would be money that nobody paid. The poll that follows brings both.
    if (isNew || payments.length > 0)
      for (const row of report.refunds ?? [])
        if (await recordReported(book, attempt, row, report.isPolled === true)) isNews = true;
    const { providerId, paymentId, bankReference, providerMessage } = report;
    const nextPollAt = nextPollAfter(report, attempt, state, await ownRows(), now);
    await setAttempt(transaction, reference, {
      nextPollAt,
      ...(providerId ? { providerId } : {}),
      ...(paymentId && attempt.paymentId === null ? { paymentId } : {}),
      ...(bankReference ? { bankReference } : {}),
      ...(providerMessage && attempt.state !== 'done' ? { providerMessage } : {}),
      // The message was that of an earlier try that failed.
      ...(isNew ? { providerMessage: '' } : {}),
      ...(state === attempt.state ? {} : { state, changedAt: now }),
    });
    if (excess > 0 && !(await refundBySetting(book, excess))) isNews = true;
    if (isNews) await notifyStaff(transaction, services, 'money', attempt.orderId);
    return { state, isChanged: isNew || state !== attempt.state, isNews };
  });
  if (result === 'unknown') log('warn', 'payment report for an unknown reference');
  else if (result === 'foreign') log('warn', 'payment report of another provider', { reference, provider });
  else if (result.isChanged) {
    metrics?.paymentChanged(result.state);
    const amount = report.amountPaise === undefined ? 'unreadable' : plainAmount(report.amountPaise);
    log(result.isNews ? 'warn' : 'info', 'payment changed', { reference, state: result.state, amount });
  }
}
