import { sql } from 'kysely';
import pLimit from 'p-limit';
import { NEW_ORDER } from '#domain/order-status.ts';
import { prepared, q } from '#server/db/query.ts';
import type { Caller } from '#server/http/caller.ts';
import { ifRefused } from '#server/http/refusal.ts';
import { movementsOf } from '#server/ledger/movements.ts';
import type { Payers } from '#server/limits/counts.ts';
import { HOUR } from '#server/process/clock.ts';
import type { Services } from '#server/services/services.ts';
import { recordProviderError } from './provider-errors.ts';
import type { PaymentProvider, PaymentReport } from './providers/provider.ts';
import { findProvider } from './providers/providers.ts';
import { settlePayment } from './settle.ts';
import {
  type Attempt,
  claimPoll,
  findAttempt,
  isAhead,
  isPollable,
  type PollTimes,
  pollTimes,
} from './stored-attempts.ts';

/** How many payments of a kind a run takes, and how many it polls in parallel. */
const BATCH_SIZE = 50;
const CONCURRENCY = 4;

/** For how long after its start a stranger's request causes a poll of a payment, in ms. */
const STRANGERS_POLL_FOR = HOUR;

const NO_KEYS = 'The provider has no keys in the settings, and was not asked.';

/**
 * The refunds and disputes that the provider knows of, after it was requested to make the refunds that it does not know.
 * A process that dies meanwhile makes none twice: a provider makes one refund for a key. Without the provider's keys the
 * refunds that it does not know have failed, so that staff give them back by hand.
 */
async function makeRefunds({ db }: Services, provider: PaymentProvider | undefined, attempt: Attempt) {
  const reported = [...((await provider?.pollRefunds?.(attempt)) ?? [])];
  const movements = await movementsOf(db, attempt.orderNumber);
  const requested = movements.filter((row) => row.state === 'requested' && row.attempt === attempt.reference);
  if (!provider)
    return requested
      .filter(({ externalId }) => externalId === null)
      .map(
        ({ id, paise }) =>
          ({ kind: 'refund', id, paise, state: 'failed', providerMessage: NO_KEYS }) as const,
      );
  for (const { id, paise, refundOf } of requested) {
    if (reported.some((row) => row.id === id)) continue;
    const paymentId = movements.find((row) => row.id === refundOf)?.externalId ?? attempt.paymentId;
    const answer = await provider.refund({ ...attempt, paymentId }, paise, id);
    reported.push({ kind: 'refund', id, paise, ...answer });
  }
  return reported;
}

/** Polls a provider, makes the refunds that wait, and settles its report. Returns false if it does not answer. */
async function pollPayment(services: Services, reference: string): Promise<boolean> {
  const attempt = await findAttempt(services.db, reference);
  if (!attempt) return true;
  const { provider: name, state } = attempt;
  const provider = findProvider(services, name);
  if (!provider && state !== 'done') return true;
  try {
    const report: PaymentReport =
      provider && state !== 'done'
        ? await provider.poll(attempt)
        : { outcome: 'open', refunds: await makeRefunds(services, provider, attempt) };
    await settlePayment(services, name, reference, { ...report, isPolled: true });
    return true;
  } catch (error) {
    return (await recordProviderError(services, name, error, 'payment could not be polled')) === 'unreadable';
  }
}

/** Returns a function that shares running work by its key within this process. */
export function createShared<T>(): (key: string, begin: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, Promise<T>>();
  return (key, begin) => {
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const begun = begin().finally(() => underWay.delete(key));
    underWay.set(key, begun);
    return begun;
  };
}

const sharePoll = createShared<void>();

/**
 * Polls a payment for a shopper who returns from the provider, or soon if the last poll was less than 5 s ago. Skips one
 * whose money came. If the provider has not signed the return, a stranger may repeat it: then only recent
 * payments are polled, two at a time, and the others wait for the page that follows, which asks with the session of the customer.
 */
export async function pollNow(
  services: Services,
  attempt: Attempt,
  caller: Caller,
  isSigned: boolean,
): Promise<void> {
  const { reference, state, createdAt, provider } = attempt;
  const isRecent = state === 'open' && services.clock() - createdAt < STRANGERS_POLL_FOR;
  if (state === 'done' || !(isSigned || isRecent)) return;
  const poll = () =>
    sharePoll(reference, async () => {
      if (await claimPoll(services, attempt)) await pollPayment(services, reference);
      else if (isSigned) await pollSoon(services, reference);
    });
  const lane = isSigned ? 'signedReturn' : 'strangersPoll';
  await ifRefused(services.limits.lane(lane, provider).run(caller, poll), () => undefined);
}

async function pollDue(services: Services, which: '=' | '!='): Promise<number> {
  const now = services.clock();
  const times = pollTimes(now);
  const pollable = q
    .selectFrom('paymentAttempts')
    .select(['reference', 'provider', 'createdAt'])
    .where('state', which, 'done')
    .where(isPollable(times))
    .limit(BATCH_SIZE);
  const due = [
    ...(await services.db.rows(pollable.where('nextPollAt', '<=', now).orderBy('nextPollAt'))),
    ...(await services.db.rows(pollable.where('nextPollAt', '>', now).where(isAhead(times)))),
  ];
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
  const [open, others] = await Promise.all([pollDue(services, '!='), pollDue(services, '=')]);
  return open + others;
}

/** How long after its start a shopper is assumed to wait for a payment, in ms. */
const WAIT_MS = 30 * 60_000;

/** Makes a payment due now, because there may be news, even of one that has ended. */
export const pollSoon = ({ db, clock }: Services, reference: string): Promise<number> =>
  db.write((transaction) =>
    transaction.run(
      q
        .updateTable('paymentAttempts')
        .set({ nextPollAt: clock() })
        .where('reference', '=', reference)
        .where(({ eb, or }) => or([eb('nextPollAt', 'is', null), eb('nextPollAt', '>', clock())])),
    ),
  );

/** '+' makes SQLite begin with the customer's orders, not with all new orders of the shop. */
const WAITING = prepared(
  ({ customerId, now, since, times }: { customerId: string; now: number; since: number; times: PollTimes }) =>
    q
      .selectFrom('paymentAttempts')
      .innerJoin('orders', 'orders.number', 'orderNumber')
      .select('reference')
      .where('customerId', '=', customerId)
      .where(sql<boolean>`+orders.status = ${NEW_ORDER}`)
      .where('state', '!=', 'done')
      .where('nextPollAt', '>', now)
      .where('paymentAttempts.createdAt', '>', since)
      .where(isPollable(times)),
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
    WAITING({ customerId, now, since: now - WAIT_MS, times: pollTimes(now) }),
  );
  for (const { reference } of waiting)
    await ifRefused(
      services.limits.spend(['poll'], payers, () => pollSoon(services, reference)),
      () => 0,
    );
}
