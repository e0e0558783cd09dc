import { sql } from 'kysely';
import pLimit from 'p-limit';
import { NEW_ORDER } from '#domain/order-status.ts';
import { once, q } from '#server/db/query.ts';
import type { Services } from '#server/services/services.ts';
import { isOpen } from './payment-state.ts';
import { claimPoll, createShared, isPollable, POLL_EVERY } from './polling.ts';
import { recordProviderError } from './provider-errors.ts';
import type { PaymentReport } from './providers/provider.ts';
import { providersOf } from './providers/table.ts';
import { claimRefund, dueRefunds, storeAnswer } from './refunds.ts';
import { settlePayment } from './settle.ts';
import { findPayment, type Payment } from './stored-payments.ts';
import type { Refund } from './stored-refunds.ts';

/** How many payments a run takes, and how many it polls in parallel. */
const BATCH_SIZE = 50;
const CONCURRENCY = 4;

/** Polls a provider, and settles its report. After a provider's error the payment is polled again later. */
async function pollPayment(services: Services, reference: string): Promise<void> {
  const payment = await findPayment(services.db, reference);
  const provider = payment && providersOf(services).get(payment.provider);
  if (!payment || !provider) return;
  try {
    const report: PaymentReport = isOpen(payment.state)
      ? await provider.poll(payment)
      : { outcome: 'open', refunds: await provider.pollRefunds?.(payment) };
    await settlePayment(services, payment.provider, reference, { ...report, isPolled: true });
  } catch (error) {
    await recordProviderError(services, payment.provider, error, 'payment could not be polled');
  }
}

const sharePoll = createShared<void>();

/** Polls a payment now, or soon if the last poll was less than 5 s ago. Skips one whose money came. */
export const pollNow = async (services: Services, payment: Payment): Promise<void> => {
  const { reference, state } = payment;
  if (!isOpen(state)) return;
  await sharePoll(reference, async () => {
    if (await claimPoll(services, payment)) await pollPayment(services, reference);
    else await pollSoon(services, reference);
  });
};

/**
 * Makes a refund at its provider, or polls it. Both are the same call, because the provider makes a refund once for a
 * key. If the process dies before the answer is stored, the next run repeats the call with the same key. A refusal may
 * be due to a refund that was made at the provider, so the payment is polled first.
 */
async function processRefund(services: Services, refund: Refund): Promise<void> {
  if (!(await claimRefund(services, refund))) return;
  const { reference } = refund;
  const payment = await findPayment(services.db, reference);
  const provider = payment && providersOf(services).get(payment.provider);
  if (!payment || !provider) {
    services.log('error', 'refund waits for a provider that is not among PAYMENT_PROVIDERS', {
      reference,
      ...(payment ? { provider: payment.provider } : {}),
    });
    return;
  }
  try {
    const answer = await provider.refund(payment, refund.paise, refund.key);
    if (answer.state === 'refund_failed') await pollPayment(services, reference);
    await storeAnswer(services, refund, answer, provider.isPaidAtDoor ?? false);
  } catch (error) {
    await recordProviderError(services, payment.provider, error, 'refund could not be requested');
  }
}

/** Polls every payment and refund that is due. Returns how many there were. */
export async function reconcile(services: Services): Promise<number> {
  const now = services.clock();
  const pollable = q
    .selectFrom('payments')
    .where('nextPollAt', '<=', now)
    .where(isPollable(now - POLL_EVERY));
  const due = await services.db.rows(
    pollable.select(['reference', 'createdAt']).orderBy('nextPollAt').limit(BATCH_SIZE),
  );
  const limit = pLimit(CONCURRENCY);
  await limit.map(due, (row) =>
    sharePoll(row.reference, async () => {
      if (await claimPoll(services, row, true)) await pollPayment(services, row.reference);
    }),
  );
  const refunds = await dueRefunds(services, BATCH_SIZE);
  await limit.map(refunds, (refund) => processRefund(services, refund));
  return due.length + refunds.length;
}

/** How long after its start a shopper is assumed to wait for a payment, in ms. */
const WAIT_MS = 30 * 60_000;

/** Makes a payment due now, because there may be news, even of one that has ended. */
export const pollSoon = ({ db, clock }: Services, reference: string): Promise<number> =>
  db.write((transaction) =>
    transaction.run(
      q
        .updateTable('payments')
        .set({ nextPollAt: clock() })
        .where('reference', '=', reference)
        .where('state', '!=', 'to_collect')
        .where(({ eb, or }) => or([eb('nextPollAt', 'is', null), eb('nextPollAt', '>', clock())])),
    ),
  );

/** '+' makes SQLite begin with the customer's orders, not with all new orders of the shop. */
const WAITING = once(
  ({ customerId, now, since, lately }: { customerId: string; now: number; since: number; lately: number }) =>
    q
      .selectFrom('payments')
      .innerJoin('orders', 'orders.number', 'orderNumber')
      .select('reference')
      .where('customerId', '=', customerId)
      .where(sql<boolean>`+orders.status = ${NEW_ORDER}`)
      .where('state', 'in', ['started', 'failed'])
      .where('nextPollAt', '>', now)
      .where('payments.createdAt', '>', since)
      .where(isPollable(lately)),
);

/** Makes due what this customer waits for, at most every 5 s for a payment. Writes only if there is any. */
export async function pollSoonForCustomer(services: Services, customerId: string): Promise<void> {
  const now = services.clock();
  const waiting = await services.db.rows(
    WAITING({ customerId, now, since: now - WAIT_MS, lately: now - POLL_EVERY }),
  );
  for (const { reference } of waiting) await pollSoon(services, reference);
}
