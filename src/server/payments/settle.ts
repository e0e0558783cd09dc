import { plainAmount } from '#domain/money.ts';
import { q } from '#server/db/query.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { randomReference } from '#server/services/ids.ts';
import type { Services } from '#server/services/services.ts';
import { PAYMENT_EMAILS } from './emails/payment-emails.ts';
import { confirmOrder, lockPayable } from './payable.ts';
import { isOpen, isProblem, nextPaymentState } from './payment-state.ts';
import { MONEY_POLLED_EVERY, MONEY_POLLED_FOR } from './polling.ts';
import type { PaymentReport } from './providers/provider.ts';
import { providersOf } from './providers/table.ts';
import { changePayment, storeRefund, storeReportedRefunds } from './refunds.ts';
import { lockPayment, type Payment, receivedOf } from './stored-payments.ts';

/** What a report changes of a payment besides its state. Money that came is polled for refunds and disputes. */
function changesBy(report: PaymentReport, { createdAt, state }: Payment, now: number) {
  const { outcome, amountPaise, receivedPaise = amountPaise ?? null, currency = null } = report;
  const { providerId, paymentId, words, isPolled } = report;
  const hasCome = outcome === 'succeeded';
  const isWatched = now - createdAt < MONEY_POLLED_FOR;
  return {
    ...(providerId ? { providerId } : {}),
    ...(paymentId ? { paymentId } : {}),
    ...(words && isOpen(state) ? { words } : {}),
    ...(outcome === 'ended' ? { nextPollAt: null } : {}),
    ...(hasCome || (isPolled && !isOpen(state))
      ? { nextPollAt: isWatched ? now + MONEY_POLLED_EVERY : null }
      : {}),
    // The words were those of an earlier try that failed.
    ...(hasCome && isOpen(state) ? { receivedPaise, receivedCurrency: currency, words: '' } : {}),
  };
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
    const order = payment && (await lockPayable(transaction, payment.orderId));
    if (!payment || !order) return 'unknown';
    if (payment.provider !== provider) return 'foreign';
    const changes = changesBy(report, payment, clock());
    if (Object.keys(changes).length > 0)
      await transaction.run(q.updateTable('payments').set(changes).where('reference', '=', reference));
    const state = nextPaymentState(payment, order.status, report);
    const isChanged = state !== payment.state;
    if (isChanged) {
      await changePayment(transaction, services, payment, state);
      if (state === 'paid' || state === 'failed')
        await queueEmail(transaction, services, PAYMENT_EMAILS[state], reference);
      if (state === 'paid') await confirmOrder(transaction, payment.orderNumber, clock());
      if (state === 'refund_due' && settings.autoRefund)
        await storeRefund(transaction, clock(), {
          key: randomReference(),
          reference,
          paise: receivedOf({ ...payment, ...changes }),
          reason: 'The order was cancelled or paid before.',
          who: 'the shop',
        });
    }
    const { title = provider } = providersOf(services).get(provider) ?? {};
    await storeReportedRefunds(transaction, services, payment, title, report);
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
