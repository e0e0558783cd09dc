import type { Paise } from '#domain/money.ts';
import type { Transaction } from '#server/db/database.ts';
import { type OutboxServices, queueEmail } from '#server/email/outbox.ts';
import {
  insertMovement,
  lockAccount,
  randomReference,
  recount,
  reverse,
  reverseAdjustmentsOf,
  setMovement,
} from './book.ts';
import { LEDGER_EMAILS } from './emails.ts';
import { dayOf, holdings, isReversed, type Movement, movementsOf } from './movements.ts';
import { lowerByTaken, shortOf } from './refund.ts';

/** What a provider reports of a refund or of a dispute. `id` is our id of the row, or the provider's. */
export interface ReportedRow {
  readonly kind: 'refund' | 'dispute';
  readonly id: string;
  readonly externalId: string;
  readonly paise: Paise;
  readonly state: Movement['state'];
  readonly providerMessage: string;
  readonly answerBy: number | null;
  /** When it happened, in ms since 1970, if the provider says so. */
  readonly at: number | undefined;
}

/** Whether a report says what a row has already. */
const isSame = (own: Movement, { state, paise, answerBy, kind }: ReportedRow, isUndone: boolean): boolean =>
  own.state === state &&
  !isUndone &&
  (kind === 'refund' || (own.paise === paise && own.answerBy === answerBy));

/** The row itself, or the last of those that undo it and one another. Nothing undoes that yet. */
function lastOf(row: Movement, movements: readonly Movement[]): Movement {
  const next = movements.find(({ reverses }) => reverses === row.id);
  return next ? lastOf(next, movements) : row;
}

/**
 * Stores a refund or a dispute that a provider reports, or its change. Reports are repeated, doubled and late: only the answer
 * to a poll changes again what was decided. The order's payment is recorded already. Returns whether staff have to look
 * at it: it was made at the provider, it failed, or it is a dispute that they have not answered.
 * @param who the title of the provider
 */
export async function recordReported(
  transaction: Transaction,
  services: OutboxServices,
  attempt: Readonly<Record<'reference' | 'provider', string>> & { readonly orderNumber: number },
  who: string,
  report: ReportedRow,
  isPolled: boolean,
): Promise<boolean> {
  const { orderNumber, reference } = attempt;
  const { kind, state, paise, answerBy, providerMessage } = report;
  const order = await lockAccount(transaction, orderNumber);
  const movements = await movementsOf(transaction, orderNumber);
  const own = movements.find(
    (row) =>
      row.id === report.id ||
      (row.kind === kind && row.attempt === reference && row.externalId === report.externalId),
  );
  const isUndone = own !== undefined && isReversed(own, movements);
  const isDecided = own && !['requested', 'open', 'answered'].includes(own.state);
  const isEarlier = own && isDecided && ['requested', 'open', 'answered'].includes(state);
  if (own && (isSame(own, report, isUndone) || isEarlier || (isDecided && !isPolled))) return false;
  const now = services.clock();
  const happenedOn = dayOf(report.at ?? now);
  const counts = state === 'done' || state === 'lost';
  const isNews = kind === 'dispute' ? state !== 'answered' : !own || state === 'failed';
  const needsReview = isNews ? 1 : 0;
  const reason = kind === 'refund' ? `Made at ${who}` : 'Lost dispute';
  const less = { kind, reason, recordedBy: who, happenedOn };
  if (own && isUndone && counts) {
    // What was undone has happened after all.
    await reverse(transaction, services, lastOf(own, movements), {
      recordedBy: who,
      happenedOn,
      providerMessage,
    });
    await setMovement(transaction, own.id, { needsReview: 1 });
    await lowerByTaken(transaction, services, orderNumber, shortOf(order), { ...less, movement: own.id });
    return true;
  }
  if (own && (own.state === 'done' || own.state === 'lost')) {
    if (isUndone) return false;
    if (kind === 'dispute')
      await reverseAdjustmentsOf(transaction, services, own, { recordedBy: who, happenedOn });
    await reverse(transaction, services, lastOf(own, movements), {
      recordedBy: who,
      happenedOn,
      providerMessage,
    });
    await setMovement(transaction, own.id, { needsReview: 1 });
    return true;
  }
  const payment = holdings(movements).find((one) => one.payment.attempt === reference)?.payment;
  // What it took while it was in dispute is not part of what it takes now.
  const isLost = state === 'lost';
  if (own && isLost) await setMovement(transaction, own.id, { state: 'won' });
  const short = shortOf(own && isLost ? await recount(transaction, services, orderNumber) : order);
  const set = { state, happenedOn, changedAt: now, providerMessage, answerBy, needsReview } as const;
  const id = own?.id ?? randomReference();
  if (own)
    await setMovement(transaction, id, {
      ...set,
      externalId: report.externalId,
      ...(kind === 'dispute' ? { paise } : {}),
    });
  else
    await insertMovement(transaction, services, orderNumber, {
      ...set,
      id,
      direction: 'out',
      kind,
      way: attempt.provider,
      attempt: reference,
      externalId: report.externalId,
      paise,
      refundOf: payment?.id ?? null,
      recordedBy: who,
      note: kind === 'refund' ? `Made at ${who}` : '',
    });
  if (isLost || (kind === 'refund' && state !== 'failed'))
    await lowerByTaken(transaction, services, orderNumber, short, { ...less, movement: id });
  else await recount(transaction, services, orderNumber);
  if (kind === 'refund' && state === 'done')
    await queueEmail(transaction, services, LEDGER_EMAILS.returned, id);
  return isNews;
}
