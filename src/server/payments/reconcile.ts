import { sql } from 'kysely';
import pLimit from 'p-limit';
import { NEW_ORDER } from '#domain/order-status.ts';
import { prepared, q } from '#server/db/query.ts';
import type { Caller } from '#server/http/caller.ts';
import { ifRefused } from '#server/http/refusal.ts';
import type { Payers } from '#server/limits/counts.ts';
import { HOUR } from '#server/process/clock.ts';
import type { Services } from '#server/services/services.ts';
import { isOpen, OPEN } from './payment-state.ts';
import { claimPoll, createShared, isPollable, POLL_EVERY } from './polling.ts';
import { recordProviderError } from './provider-errors.ts';
import type { PaymentProvider, PaymentReport } from './providers/provider.ts';
import { providersOf } from './providers/providers.ts';
import { settlePayment } from './settle.ts';
import { findPayment, type Payment } from './stored-payments.ts';
import { refundsOf } from './stored-refunds.ts';

/** How many payments of a kind a run takes, and how many it polls in parallel. */
const BATCH_SIZE = 50;
const CONCURRENCY = 4;

/** For how long after its start a stranger's request causes a poll of a payment, in ms. */
const STRANGERS_POLL_FOR = HOUR;

/**
 * The refunds and disputes that the provider knows of, after it was requested to make the refunds that it does not know.
 * A process that dies meanwhile makes none twice: a provider makes one refund for a key.
 */
async function makeRefunds(services: Services, provider: PaymentProvider | undefined, payment: Payment) {
  const reported = [...((await provider?.pollRefunds?.(payment)) ?? [])];
  for (const { key, paise, state, requested } of await refundsOf(services.db, [payment])) {
    if (!requested || state !== 'refunding' || reported.some((known) => known.key === key)) continue;
    if (provider) reported.push({ key, paise, ...(await provider.refund(payment, paise, key)) });
    else
      services.log('error', 'refund waits for a provider that is not among PAYMENT_PROVIDERS', {
        reference: payment.reference,
        provider: payment.provider,
      });
  }
  return reported;
}

/** Polls a provider, makes the refunds that wait, and settles its report. Returns false if it does not answer. */
async function pollPayment(services: Services, reference: string): Promise<boolean> {
  const payment = await findPayment(services.db, reference);
  if (!payment) return true;
  const { provider: name, state } = payment;
  const provider = providersOf(services).get(name);
  try {
    const { outcome = 'open', ...report }: Partial<PaymentReport> = isOpen(state)
      ? { ...(await provider?.poll(payment)) }
      : { refunds: await makeRefunds(services, provider, payment) };
    await settlePayment(services, name, reference, { ...report, outcome, isPolled: true });
    return true;
  } catch (error) {
    return (await recordProviderError(services, name, error, 'payment could not be polled')) === 'unreadable';
  }
}

const sharePoll = createShared<void>();

/**
 * Polls a payment for a shopper who returns from the provider, or soon if the last poll was less than 5 s ago. Skips one
 * whose money came. If the provider has not signed the return, a stranger may repeat it: then only recent
 * payments are polled, two at a time, and the others wait for the page that follows, which asks with the session of the customer.
 */
export async function pollNow(
  services: Services,
  payment: Payment,
  caller: Caller,
  isSigned: boolean,
): Promise<void> {
  const { reference, state, createdAt, provider } = payment;
  const isRecent = state === 'started' && services.clock() - createdAt < STRANGERS_POLL_FOR;
  if (!isOpen(state) || !(isSigned || isRecent)) return;
  const poll = () =>
    sharePoll(reference, async () => {
      if (await claimPoll(services, payment)) await pollPayment(services, reference);
      else if (isSigned) await pollSoon(services, reference);
    });
  const lane = isSigned ? 'signedReturn' : 'strangersPoll';
  await ifRefused(services.limits.lane(lane, provider).run(caller, poll), () => undefined);
}

async function pollDue(services: Services, which: 'in' | 'not in'): Promise<number> {
  const now = services.clock();
  const pollable = q
    .selectFrom('payments')
    .where('state', which, OPEN)
    .where('nextPollAt', '<=', now)
    .where(isPollable(now - POLL_EVERY));
  const due = await services.db.rows(
    pollable.select(['reference', 'provider', 'createdAt']).orderBy('nextPollAt').limit(BATCH_SIZE),
  );
  /** Those that do not answer. Their other payments wait for the next try as well. */
  const failing = new Set<string>();
  await pLimit(CONCURRENCY).map(due, (row) =>
    sharePoll(row.reference, async () => {
      if (!(await claimPoll(services, row, true)) || failing.has(row.provider)) return;
      if (!(await pollPayment(services, row.reference))) failing.add(row.provider);
    }),
  );
  return due.length;
}

/** Polls every payment that is due. Returns how many there were. Refunds do not wait for payments that nobody pays. */
export async function reconcile(services: Services): Promise<number> {
  const [open, others] = await Promise.all([pollDue(services, 'in'), pollDue(services, 'not in')]);
  return open + others;
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
const WAITING = prepared(
  ({ customerId, now, since, lately }: { customerId: string; now: number; since: number; lately: number }) =>
    q
      .selectFrom('payments')
      .innerJoin('orders', 'orders.number', 'orderNumber')
      .select('reference')
      .where('customerId', '=', customerId)
      .where(sql<boolean>`+orders.status = ${NEW_ORDER}`)
      .where('state', 'in', OPEN)
      .where('nextPollAt', '>', now)
      .where('payments.createdAt', '>', since)
      .where(isPollable(lately)),
);

/**
 * Makes due what this customer waits for, at most every 5 s for a payment. Writes only if there is any. Those beyond the
 * customer's share are polled later.
 */
export async function pollSoonForCustomer(
  services: Services,
  payers: Payers & { readonly account: string },
): Promise<void> {
  const now = services.clock();
  const { account: customerId } = payers;
  const waiting = await services.db.rows(
    WAITING({ customerId, now, since: now - WAIT_MS, lately: now - POLL_EVERY }),
  );
  for (const { reference } of waiting)
    await ifRefused(
      services.limits.spend(['poll'], payers, () => pollSoon(services, reference)),
      () => 0,
    );
}
