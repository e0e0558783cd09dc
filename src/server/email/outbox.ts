import * as v from 'valibot';
import { mailboxOf } from '#domain/email.ts';
import { columnsOf, insertRow } from '#server/db/columns.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import type { Shop, User } from '#server/services/shop.ts';
import { isoTime } from '#server/process/clock.ts';
import type { Letter } from './letter.ts';

/**
 * `waiting` letters are tried until they are `sent`. A letter that was refused for good, or for too long, is `failed`, and
 * the office may send it again. One that has nothing left to say is `dropped`.
 */
export const LETTER_STATES = ['waiting', 'sent', 'failed', 'dropped'] as const;

const ROW = {
  /** Also the first part of its Message-ID, which is the same for every try. */
  id: v.string(),
  kind: v.string(),
  /** What it is about, such as an order's id: the letter reads the rest when it is sent. */
  about: v.string(),
  /** As JSON; '{}' once it was sent. */
  details: v.string(),
  /** 1 for a letter to somebody of the staff, whatever it is about. */
  toStaff: v.number(),
  /** 1 for a letter that is sent before others. */
  urgent: v.number(),
  state: v.picklist(LETTER_STATES),
  /** Where it went, or was refused; '' before the first try. */
  address: v.string(),
  /** The mailbox of `address` (`mailboxOf`), by which emails are counted. */
  mailbox: v.string(),
  /** Why the last try failed, in the words of the mail server. */
  trouble: v.string(),
  tries: v.number(),
  createdAt: v.number(),
  changedAt: v.number(),
  /** null unless it waits */
  nextTryAt: v.nullable(v.number()),
};

const RowSchema = v.object(ROW);

export type LetterRow = v.InferOutput<typeof RowSchema>;

const LETTER = `SELECT ${columnsOf(ROW)} FROM letters`;

/** What queueing needs of a shop. */
export type Post = Pick<Shop, 'settings' | 'clock' | 'ids'>;

/**
 * Puts a letter into the outbox, in the transaction of what it tells. It is sent soon afterwards. A shop that sends no
 * letters stores none.
 */
export const queueLetter = <Details>(
  transaction: Transaction,
  post: Post,
  letter: Letter<Details>,
  about: string,
  ...[details]: object extends Details ? [] : [details: Details]
): Promise<void> => storeLetter(transaction, post, letter, about, details ?? {});

/** The same, without the check that the details fit the letter. */
export async function storeLetter(
  transaction: Transaction,
  { settings, clock, ids }: Post,
  { kind, isToStaff, isUrgent }: Pick<Letter, 'kind' | 'isToStaff' | 'isUrgent'>,
  about: string,
  details: object,
): Promise<void> {
  if (!settings.mail) return;
  const now = clock();
  await insertRow(transaction, 'letters', {
    id: ids.letter(),
    kind,
    about,
    details: JSON.stringify(details),
    toStaff: Number(isToStaff),
    urgent: Number(isUrgent),
    state: 'waiting',
    address: '',
    mailbox: '',
    trouble: '',
    tries: 0,
    createdAt: now,
    changedAt: now,
    nextTryAt: now,
  });
}

/**
 * The letters whose time has come: the urgent ones, then all others. Of each, the newest come first, so that neither
 * letters which keep failing nor thousands that a stranger caused hold up another.
 */
export async function dueLetters(db: Reader, now: number, most: number): Promise<LetterRow[]> {
  const due = (urgent: 0 | 1) =>
    db.all(
      RowSchema,
      `${LETTER} WHERE urgent = ? AND next_try_at <= ? ORDER BY created_at DESC LIMIT ?`,
      urgent,
      now,
      most,
    );
  return [...(await due(1)), ...(await due(0))].slice(0, most);
}

/**
 * Keeps a letter for this process until `until`. Of several processes that saw the same
 * time, one changes the row. Where that process dies, the letter is due again at that time. Returns 0 where another one
 * was quicker, or the letter waits no more. @param tries 1 where a try begins, else 0
 */
export const holdLetter = (
  transaction: Transaction,
  { id, nextTryAt }: LetterRow,
  until: number,
  tries: 0 | 1,
): Promise<number> =>
  transaction.run(
    'UPDATE letters SET next_try_at = ?, tries = tries + ? WHERE id = ? AND next_try_at = ?',
    until,
    tries,
    id,
    nextTryAt,
  );

/** How a try ended. `nextTryAt` is for a letter that still waits. */
export interface Ended {
  readonly state: (typeof LETTER_STATES)[number];
  readonly address?: string;
  readonly trouble?: string;
  readonly nextTryAt?: number;
  /** The mail server was at fault, so that other letters need not be tried now. */
  readonly isServer?: boolean;
}

/**
 * Stores how a try ended. If another process has claimed the letter since, the result is stored only if the letter was
 * sent. A letter that was sent loses its details, because nobody sends it again.
 */
export const endTry = (
  transaction: Transaction,
  now: number,
  { id, details, address: before, nextTryAt: claimedUntil }: LetterRow,
  { state, address = before, trouble = '', nextTryAt }: Ended,
): Promise<number> =>
  transaction.run(
    `UPDATE letters SET state = ?, address = ?, mailbox = ?, trouble = ?, details = ?, changed_at = ?, next_try_at = ?
     WHERE id = ? AND (next_try_at = ? OR ? = 'sent')`,
    state,
    address,
    mailboxOf(address),
    trouble,
    state === 'sent' || state === 'dropped' ? '{}' : details,
    now,
    state === 'waiting' ? (nextTryAt ?? now) : null,
    id,
    claimedUntil,
    state,
  );

/** Drops the waiting letters of these kinds that are about one of these. */
export const dropWaiting = (
  transaction: Transaction,
  now: number,
  kinds: readonly string[],
  abouts: readonly string[],
): Promise<number> =>
  transaction.run(
    `UPDATE letters SET state = 'dropped', details = '{}', changed_at = ?, next_try_at = NULL
     WHERE state = 'waiting' AND kind IN (${kinds.map(() => '?').join()}) AND about IN (${abouts.map(() => '?').join()})`,
    now,
    ...kinds,
    ...abouts,
  );

/** Lets a letter that failed be tried again now. Returns 0 where the letter has not failed. */
export const sendAgain = (transaction: Transaction, now: number, id: string): Promise<number> =>
  transaction.run(
    "UPDATE letters SET state = 'waiting', tries = 0, created_at = ?, changed_at = ?, next_try_at = ? WHERE id = ? AND state = 'failed'",
    now,
    now,
    now,
    id,
  );

const KeptSchema = v.object({ kind: v.string(), state: v.picklist(LETTER_STATES), changedAt: v.number() });

/** The letters about an account, its orders and payments. */
const OF_ACCOUNT = `to_staff = 0 AND (about = ?
  OR about IN (SELECT id FROM orders WHERE user_id = ?)
  OR about IN (SELECT reference FROM payments JOIN orders ON number = order_number WHERE user_id = ?))`;

/** The letters to an email, whoever asked for them, and what was written to the shop from it. */
const OF_EMAIL = '(to_staff = 0 AND address = ?) OR about = ?';

type Customer = Pick<User, 'id' | 'email'>;

const accountValues = ({ id }: Customer) => [id, id, id] as const;
const emailValues = ({ email }: Customer) => [email, email] as const;

/**
 * Which letters went to a customer, as the file of everything about a person has them. What they said is not kept.
 * @param isProven whether the email is known to be the customer's, so that letters belong here which only name the email
 */
export const keptLetters = async (db: Reader, customer: Customer, isProven: boolean): Promise<object[]> =>
  (
    await db.all(
      KeptSchema,
      `SELECT kind, state, changed_at AS "changedAt" FROM letters
       WHERE (${OF_ACCOUNT}) ${isProven ? `OR (${OF_EMAIL})` : ''} ORDER BY changed_at, id`,
      ...accountValues(customer),
      ...(isProven ? emailValues(customer) : []),
    )
  ).map(({ changedAt, ...letter }) => ({ ...letter, at: isoTime(changedAt) }));

export const forgetLettersOf = (transaction: Transaction, customer: Customer): Promise<number> =>
  transaction.run(
    `DELETE FROM letters WHERE (${OF_ACCOUNT}) OR (${OF_EMAIL})`,
    ...accountValues(customer),
    ...emailValues(customer),
  );

/** Newest first. */
export const lettersIn = (db: Reader, state: LetterRow['state'], most: number): Promise<LetterRow[]> =>
  db.all(RowSchema, `${LETTER} WHERE state = ? ORDER BY changed_at DESC, id LIMIT ?`, state, most);

const CountSchema = v.object({ state: v.picklist(LETTER_STATES), count: v.number() });

export const countLetters = async (db: Reader): Promise<ReadonlyMap<LetterRow['state'], number>> =>
  new Map(
    (await db.all(CountSchema, 'SELECT state, count(*) AS count FROM letters GROUP BY state')).map(
      ({ state, count }) => [state, count],
    ),
  );
