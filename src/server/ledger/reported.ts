import type { Paise } from '#domain/money.ts';
import type { MovementKind, MovementState } from '#server/db/tables.ts';
import { queueEmail } from '#server/email/outbox.ts';
import {
  type Book,
  insertMovement,
  lockAccount,
  recount,
  reverse,
  reverseAdjustmentsOf,
  setMovement,
} from './book.ts';
import { LEDGER_EMAILS } from './emails.ts';
import { dayOf, hasMoved, holdings, isReversed, type Movement, movementsOf } from './movements.ts';
import { lowerByTaken, shortOf } from './refund.ts';

/** What a provider reports of a refund, or of a dispute: a bank takes the payer's side until it is decided. */
export interface ReportedRow {
  readonly kind: Exclude<MovementKind, 'payment'>;
  /** Our id if the shop made it, else the provider's. */
  readonly id: string;
  /** The provider's id, if it is not `id`. */
  readonly externalId?: string | undefined;
  /** undefined if it cannot be read exactly. */
  readonly paise: Paise | undefined;
  readonly state: MovementState;
  /** Why the refund failed, or the dispute was opened. */
  readonly providerMessage?: string;
  /** Until when the shop may answer, in ms since 1970. */
  readonly answerBy?: number | null;
  /** When it was made or decided, in ms since 1970. */
  readonly at?: number | undefined;
}

const isUndecided = (state: MovementState): boolean => ['requested', 'open', 'answered'].includes(state);

/** The row itself, or the last of those that undo it and one another. Nothing undoes that yet. */
function lastOf(row: Movement, movements: readonly Movement[]): Movement {
  const next = movements.find(({ reverses }) => reverses === row.id);
  return next ? lastOf(next, movements) : row;
}

/**
 * Stores a refund or a dispute that a provider reports, or its change. Reports are repeated, doubled and late: only the answer
 * to a poll changes again what was decided. The order's payment is recorded already. Returns whether staff have to look
 * at it: it was made at the provider, it failed, or it is a dispute that they have not answered.
 */
export async function recordReported(
  book: Book,
  { reference, provider }: Readonly<Record<'reference' | 'provider', string>>,
  report: ReportedRow,
  isPolled: boolean,
): Promise<boolean> {
  const { transaction, services, orderNumber, recordedBy: who } = book;
  const { kind, state, paise, answerBy = null, providerMessage = '', externalId = report.id } = report;
  if (report.id === '' || paise === undefined) return false;
  const order = await lockAccount(transaction, orderNumber);
  const movements = await movementsOf(transaction, orderNumber);
  const own = movements.find(
    (row) =>
      row.id === report.id ||
      (row.kind === kind && row.attempt === reference && row.externalId === externalId),
  );
  if (own && !isUndecided(own.state) && (isUndecided(state) || !isPolled)) return false;
  const now = services.clock();
  const happenedOn = dayOf(report.at ?? now);
  const isNews = kind === 'dispute' ? state !== 'answered' : !own || state === 'failed';
  const less = { kind, reason: kind === 'refund' ? `Made at ${who}` : 'Lost dispute', happenedOn };
  if (own && hasMoved(own)) {
    // What was undone has happened after all, or what happened is undone.
    const counts = hasMoved(report);
    if (counts !== isReversed(own, movements)) return false;
    if (kind === 'dispute' && !counts) await reverseAdjustmentsOf(book, own.id, { happenedOn });
    await reverse(book, lastOf(own, movements), { happenedOn, providerMessage });
    await setMovement(transaction, own.id, { needsReview: 1 });
    if (counts) await lowerByTaken(book, shortOf(order), { ...less, movement: own.id });
    return true;
  }
  if (own?.state === state && (kind === 'refund' || (own.paise === paise && own.answerBy === answerBy)))
    return false;
  // What it took while it was in dispute is not part of what it takes now.
  const isLost = state === 'lost';
  if (own && isLost) await setMovement(transaction, own.id, { state: 'won' });
  const short = shortOf(own && isLost ? await recount(book) : order);
  const needsReview = isNews ? 1 : 0;
  const set = { state, happenedOn, externalId, providerMessage, answerBy, needsReview } as const;
  if (own)
    await setMovement(transaction, own.id, {
      ...set,
      changedAt: now,
      ...(kind === 'dispute' ? { paise } : {}),
    });
  const movement =
    own?.id ??
    (await insertMovement(book, {
      ...set,
      direction: 'out',
      kind,
      way: provider,
      attempt: reference,
      paise,
      refundOf: holdings(movements).find(({ payment }) => payment.attempt === reference)?.payment.id ?? null,
      note: kind === 'refund' ? `Made at ${who}` : '',
    }));
  if (isLost || (kind === 'refund' && state !== 'failed'))
    await lowerByTaken(book, short, { ...less, movement });
  else await recount(book);
  if (kind === 'refund' && state === 'done')
    await queueEmail(transaction, services, LEDGER_EMAILS.returned, movement);
  return isNews;
}
