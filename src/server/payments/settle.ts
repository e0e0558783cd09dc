import type { UpdateObject } from 'kysely';
import { plainAmount } from '#domain/money.ts';
import { PAID_ORDER } from '#domain/order-status.ts';
import { q } from '#server/db/query.ts';
import type { PaymentState, Tables } from '#server/db/tables.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { lockOrder, setStatus } from '#server/orders/stored-orders.ts';
import type { Services } from '#server/services/services.ts';
import { PAYMENT_EMAILS } from './emails.ts';
import { isOpen, isProblem, nextPaymentState } from './payment-state.ts';
import { MONEY_POLLED_EVERY, MONEY_POLLED_FOR, nextPoll } from './polling.ts';
import type { PaymentReport } from './providers/provider.ts';
import { providersOf } from './providers/providers.ts';
import { changePayment, storeRefund, storeReportedRefunds } from './refunds.ts';
import { lockPayment, type Payment, receivedOf } from './stored-payments.ts';
import { type Refund, refundsOf } from './stored-refunds.ts';

/** What a report changes of a payment besides its state. */
function changesBy(report: PaymentReport, { state }: Payment) {
  const { outcome, amountPaise, receivedPaise = amountPaise ?? null, currency = null } = report;
  const { providerId, paymentId, words } = report;
  return {
    ...(providerId ? { providerId } : {}),
    ...(paymentId ? { paymentId } : {}),
    ...(words && isOpen(state) ? { words } : {}),
    // The words were those of an earlier try that failed.
    ...(outcome === 'succeeded' && isOpen(state)
      ? { receivedPaise, receivedCurrency: currency, words: '' }
      : {}),
  };
}

/**
 * When to poll a payment after a report, in ms since 1970; null if it can no longer be paid. Money that came is polled
 * for disputes, and for refunds, more often while one is in progress.
 */
function nextPollAfter(
  { outcome }: PaymentReport,
  { createdAt, nextPollAt }: Payment,
  state: PaymentState,
  refunds: readonly Refund[],
  now: number,
): number | null {
  // A webhook came while the provider was polled.
  if (nextPollAt !== null && nextPollAt <= now) return nextPollAt;
  const refunding = refunds.findLast((refund) => refund.state === 'refunding');
  if (refunding) return nextPoll(refunding.createdAt, now);
  if (!isOpen(state)) return now - createdAt < MONEY_POLLED_FOR ? now + MONEY_POLLED_EVERY : null;
  return outcome === 'ended' ? null : nextPoll(createdAt, now);
}

/**
 * Stores a provider's report of a payment, from a webhook, the shopper's return or a poll. Repeated reports change
 * nothing. A report of another provider than the payment's own is rejected.
 * @param provider the name of the provider that reports
 */
export async function settlePayment(
  services: Services,
  provider: string,
  reference: string,
  report: PaymentReport,
): Promise<void> {
  const { db, clock, log, metrics, settings } = services;
  const result = await db.write(async (transaction) => {
    const payment = await lockPayment(transaction, reference);
    const order = payment && (await lockOrder(transaction, payment.orderId));
    if (!payment || !order) return 'unknown';
    if (payment.provider !== provider) return 'foreign';
    const now = clock();
    const change = (set: UpdateObject<Tables, 'payments'>) =>
      transaction.run(q.updateTable('payments').set(set).where('reference', '=', reference));
    const changes = changesBy(report, payment);
    if (Object.keys(changes).length > 0) await change(changes);
    const state = nextPaymentState(payment, order.status, report);
    const isChanged = state !== payment.state;
    if (isChanged) {
      await changePayment(transaction, services, payment, state);
      if (state === 'paid' || state === 'failed')
        await queueEmail(transaction, services, PAYMENT_EMAILS[state], reference);
      if (state === 'paid') await setStatus(transaction, payment.orderNumber, PAID_ORDER, now);
    }
    const { title = provider } = providersOf(services).get(provider) ?? {};
    await storeReportedRefunds(transaction, services, payment, title, report);
    const refunds = await refundsOf(transaction, [payment]);
    const nextPollAt = nextPollAfter(report, payment, state, refunds, now);
    if (nextPollAt !== payment.nextPollAt) await change({ nextPollAt });
    if (isChanged && state === 'refund_due' && settings.autoRefund)
      await storeRefund(transaction, services, {
        reference,
        paise: receivedOf({ ...payment, ...changes }),
        reason: 'The order was cancelled or paid before.',
        who: 'the shop',
      });
    return { state, changed: isChanged };
  });
  if (result === 'unknown') log('warn', 'payment report for an unknown reference');
  else if (result === 'foreign') log('warn', 'payment report of another provider', { reference, provider });
  else if (result.changed) {
    metrics?.paymentChanged(result.state);
    const amount = report.amountPaise === undefined ? 'unreadable' : plainAmount(report.amountPaise);
    log(isProblem(result.state) ? 'warn' : 'info', 'payment changed', {
      reference,
      state: result.state,
      amount,
    });
  }
}
