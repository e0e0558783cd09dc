import pLimit from 'p-limit';
import * as v from 'valibot';
import { NEW_ORDER } from '#domain/new-order.ts';
import type { Services } from '#server/services/services.ts';
import { claimPoll, createShared, POLL_EVERY, pollDelay } from './polling.ts';
import { recordProviderError } from './provider-errors.ts';
import { providersOf } from './providers/table.ts';
import { dueRefunds, processRefund } from './refunds.ts';
import { settlePayment } from './settle.ts';
import { findPayment, type Payment } from './stored-payments.ts';

/** How many payments a run takes, and how many it polls in parallel. */
const BATCH_SIZE = 50;
const CONCURRENCY = 4;

const DueSchema = v.object({ reference: v.string(), nextPollAt: v.number(), polls: v.number() });

/**
 * Claims a payment by moving its next poll: of several processes that read the same time, one changes the row. If
 * that process dies, the next poll recovers.
 */
const claim = (
  services: Services,
  { reference, nextPollAt, polls }: v.InferOutput<typeof DueSchema>,
): Promise<number> =>
  services.db.write((transaction) =>
    transaction.run(
      'UPDATE payments SET next_poll_at = ?, polls = polls + 1, polled_at = ? WHERE reference = ? AND next_poll_at = ? AND (polled_at IS NULL OR polled_at <= ?)',
      services.clock() + pollDelay(polls + 1),
      services.clock(),
      reference,
      nextPollAt,
      services.clock() - POLL_EVERY,
    ),
  );

/** Polls a provider, and settles its report. After a provider's error the payment is polled again later. */
async function pollPayment(services: Services, reference: string): Promise<void> {
  const payment = await findPayment(services.db, reference);
  const provider = payment && providersOf(services).get(payment.provider);
  if (!payment || !provider) return;
  try {
    await settlePayment(services, payment.provider, reference, await provider.poll(payment));
  } catch (error) {
    await recordProviderError(services, payment.provider, error, 'payment could not be polled');
  }
}

const sharePoll = createShared<void>();

/** Polls a payment now, or soon if the last poll was less than 5 s ago. Skips a final state. */
export const pollNow = (services: Services, { reference, provider }: Payment): Promise<void> =>
  sharePoll(reference, async () => {
    if (await claimPoll(services, reference)) await pollPayment(services, reference);
    else await pollSoon(services, provider, [reference]);
  });

/** Polls every payment and refund that is due. Returns how many there were. */
export async function reconcile(services: Services): Promise<number> {
  const due = await services.db.all(
    DueSchema,
    `SELECT reference, next_poll_at AS "nextPollAt", polls FROM payments
     WHERE next_poll_at <= ? AND (polled_at IS NULL OR polled_at <= ?) ORDER BY next_poll_at LIMIT ?`,
    services.clock(),
    services.clock() - POLL_EVERY,
    BATCH_SIZE,
  );
  const limit = pLimit(CONCURRENCY);
  await limit.map(due, (row) =>
    sharePoll(row.reference, async () => {
      if ((await claim(services, row)) > 0) await pollPayment(services, row.reference);
    }),
  );
  const refunds = await dueRefunds(services, BATCH_SIZE);
  await limit.map(refunds, (refund) => processRefund(services, refund));
  return due.length + refunds.length;
}

/** How long after its start a shopper is assumed to wait for a payment, in ms. */
const WAIT_MS = 30 * 60_000;

/** Makes these payments of a provider due now, because there may be news. */
export async function pollSoon(
  { db, clock }: Services,
  provider: string,
  references: readonly string[],
): Promise<void> {
  if (references.length === 0) return;
  const marks = references.map(() => '?').join();
  await db.write((transaction) =>
    transaction.run(
      `UPDATE payments SET next_poll_at = ? WHERE next_poll_at > ? AND provider = ? AND reference IN (${marks})`,
      clock(),
      clock(),
      provider,
      ...references,
    ),
  );
}

/** Makes due what this customer waits for, at most every 5 s for a payment. Writes only if there is any. */
export async function pollSoonForCustomer(services: Services, customerId: string): Promise<void> {
  const now = services.clock();
  const waiting = await services.db.all(
    v.object({ reference: v.string(), provider: v.string() }),
    `SELECT reference, provider FROM payments JOIN orders ON orders.number = payments.order_number
     WHERE orders.customer_id = ? AND orders.status = ? AND state IN ('started', 'failed') AND next_poll_at > ?
       AND payments.created_at > ? AND (polled_at IS NULL OR polled_at <= ?)`,
    customerId,
    NEW_ORDER,
    now,
    now - WAIT_MS,
    now - POLL_EVERY,
  );
  for (const { reference, provider } of waiting) await pollSoon(services, provider, [reference]);
}
