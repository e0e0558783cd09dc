import * as v from 'valibot';
import { mailboxOf } from '#domain/email.ts';
import { columnsOf, insertRow } from '#server/db/columns.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { isoTime } from '#server/process/clock.ts';
import type { Customer, Services } from '#server/services/services.ts';
import type { Email } from './email.ts';

/**
 * `waiting` emails are tried until they are `sent`. An email that was refused for good, or for too long, is `failed`, and
 * the admin may send it again. One that has nothing left to say is `dropped`.
 */
export const EMAIL_STATES = ['waiting', 'sent', 'failed', 'dropped'] as const;

const ROW = {
  /** Also the first part of its Message-ID, which is the same for every try. */
  id: v.string(),
  kind: v.string(),
  /** What it is about, such as an order's id: the email reads the rest when it is sent. */
  about: v.string(),
  /** As JSON; '{}' once it was sent. */
  details: v.string(),
  /** 1 for an email to somebody of the staff, whatever it is about. */
  toStaff: v.number(),
  /** 1 for an email that is sent before others. */
  urgent: v.number(),
  state: v.picklist(EMAIL_STATES),
  /** Where it went, or was refused; '' before the first try. */
  address: v.string(),
  /** The mailbox of `address` (`mailboxOf`), by which emails are counted. */
  mailbox: v.string(),
  /** Why the last try failed, in the words of the mail server. */
  failure: v.string(),
  tries: v.number(),
  createdAt: v.number(),
  changedAt: v.number(),
  /** null unless it waits */
  nextTryAt: v.nullable(v.number()),
};

const RowSchema = v.object(ROW);

export type EmailRow = v.InferOutput<typeof RowSchema>;

const EMAIL = `SELECT ${columnsOf(ROW)} FROM emails`;

/** What queueing needs of a shop. */
export type OutboxServices = Pick<Services, 'settings' | 'clock' | 'ids'>;

/**
 * Puts an email into the outbox, in the transaction of what it tells. It is sent soon afterwards. A shop that sends no
 * emails stores none.
 */
export const queueEmail = <Details>(
  transaction: Transaction,
  services: OutboxServices,
  email: Email<Details>,
  about: string,
  ...[details]: object extends Details ? [] : [details: Details]
): Promise<void> => storeEmail(transaction, services, email, about, details ?? {});

/** The same, without the check that the details fit the email. */
export async function storeEmail(
  transaction: Transaction,
  { settings, clock, ids }: OutboxServices,
  { kind, isToStaff, isUrgent }: Pick<Email, 'kind' | 'isToStaff' | 'isUrgent'>,
  about: string,
  details: object,
): Promise<void> {
  if (!settings.mail) return;
  const now = clock();
  await insertRow(transaction, 'emails', {
    id: ids.email(),
    kind,
    about,
    details: JSON.stringify(details),
    toStaff: Number(isToStaff),
    urgent: Number(isUrgent),
    state: 'waiting',
    address: '',
    mailbox: '',
    failure: '',
    tries: 0,
    createdAt: now,
    changedAt: now,
    nextTryAt: now,
  });
}

/**
 * The emails whose time has come: the urgent ones, then all others. Of each, the newest come first, so that neither
 * emails which keep failing nor thousands that a stranger caused hold up another.
 */
export async function dueEmails(db: Reader, now: number, most: number): Promise<EmailRow[]> {
  const due = (urgent: 0 | 1) =>
    db.all(
      RowSchema,
      `${EMAIL} WHERE urgent = ? AND next_try_at <= ? ORDER BY created_at DESC LIMIT ?`,
      urgent,
      now,
      most,
    );
  return [...(await due(1)), ...(await due(0))].slice(0, most);
}

/**
 * Keeps an email for this process until `until`. Of several processes that saw the same
 * time, one changes the row. Where that process dies, the email is due again at that time. Returns 0 where another one
 * was quicker, or the email waits no more. @param tries 1 where a try begins, else 0
 */
export const setClaim = (
  transaction: Transaction,
  { id, nextTryAt }: EmailRow,
  until: number,
  tries: 0 | 1,
): Promise<number> =>
  transaction.run(
    'UPDATE emails SET next_try_at = ?, tries = tries + ? WHERE id = ? AND next_try_at = ?',
    until,
    tries,
    id,
    nextTryAt,
  );

/** How a try ended. `nextTryAt` is for an email that still waits. */
export interface SendResult {
  readonly state: (typeof EMAIL_STATES)[number];
  readonly address?: string;
  readonly failure?: string;
  readonly nextTryAt?: number;
  /** The mail server was at fault, so that other email need not be tried now. */
  readonly isServer?: boolean;
}

/**
 * Stores how a try ended. If another process has claimed the email since, the result is stored only if the email was
 * sent. An email that was sent loses its details, because nobody sends it again.
 */
export const storeResult = (
  transaction: Transaction,
  now: number,
  { id, details, address: before, nextTryAt: claimedUntil }: EmailRow,
  { state, address = before, failure = '', nextTryAt }: SendResult,
): Promise<number> =>
  transaction.run(
    `UPDATE emails SET state = ?, address = ?, mailbox = ?, failure = ?, details = ?, changed_at = ?, next_try_at = ?
     WHERE id = ? AND (next_try_at = ? OR ? = 'sent')`,
    state,
    address,
    mailboxOf(address),
    failure,
    state === 'sent' || state === 'dropped' ? '{}' : details,
    now,
    state === 'waiting' ? (nextTryAt ?? now) : null,
    id,
    claimedUntil,
    state,
  );

/** Drops the waiting emails of these kinds that are about one of these. */
export const dropWaiting = (
  transaction: Transaction,
  now: number,
  kinds: readonly string[],
  abouts: readonly string[],
): Promise<number> =>
  transaction.run(
    `UPDATE emails SET state = 'dropped', details = '{}', changed_at = ?, next_try_at = NULL
     WHERE state = 'waiting' AND kind IN (${kinds.map(() => '?').join()}) AND about IN (${abouts.map(() => '?').join()})`,
    now,
    ...kinds,
    ...abouts,
  );

/** Lets an email that failed be tried again now. Returns 0 where the email has not failed. */
export const sendAgain = (transaction: Transaction, now: number, id: string): Promise<number> =>
  transaction.run(
    "UPDATE emails SET state = 'waiting', tries = 0, created_at = ?, changed_at = ?, next_try_at = ? WHERE id = ? AND state = 'failed'",
    now,
    now,
    now,
    id,
  );

const KeptSchema = v.object({ kind: v.string(), state: v.picklist(EMAIL_STATES), changedAt: v.number() });

/** The emails about an account, its orders and payments. */
const OF_ACCOUNT = `to_staff = 0 AND (about = ?
  OR about IN (SELECT id FROM orders WHERE customer_id = ?)
  OR about IN (SELECT reference FROM payments JOIN orders ON number = order_number WHERE customer_id = ?))`;

/** The emails to an email, whoever asked for them, and what was written to the shop from it. */
const OF_EMAIL = '(to_staff = 0 AND address = ?) OR about = ?';

type Identity = Pick<Customer, 'id' | 'email'>;

const accountValues = ({ id }: Identity) => [id, id, id] as const;
const emailValues = ({ email }: Identity) => [email, email] as const;

/**
 * Which emails went to a customer, as the file of everything about a person has them. What they said is not kept.
 * @param isProven whether the email is known to be the customer's, so that emails belong here which only name the email
 */
export const exportEmails = async (db: Reader, customer: Identity, isVerified: boolean): Promise<object[]> =>
  (
    await db.all(
      KeptSchema,
      `SELECT kind, state, changed_at AS "changedAt" FROM emails
       WHERE (${OF_ACCOUNT}) ${isVerified ? `OR (${OF_EMAIL})` : ''} ORDER BY changed_at, id`,
      ...accountValues(customer),
      ...(isVerified ? emailValues(customer) : []),
    )
  ).map(({ changedAt, ...email }) => ({ ...email, at: isoTime(changedAt) }));

export const eraseEmailsOf = (transaction: Transaction, customer: Identity): Promise<number> =>
  transaction.run(
    `DELETE FROM emails WHERE (${OF_ACCOUNT}) OR (${OF_EMAIL})`,
    ...accountValues(customer),
    ...emailValues(customer),
  );

/** Newest first. */
export const emailsIn = (db: Reader, state: EmailRow['state'], most: number): Promise<EmailRow[]> =>
  db.all(RowSchema, `${EMAIL} WHERE state = ? ORDER BY changed_at DESC, id LIMIT ?`, state, most);

const CountSchema = v.object({ state: v.picklist(EMAIL_STATES), count: v.number() });

export const countEmails = async (db: Reader): Promise<ReadonlyMap<EmailRow['state'], number>> =>
  new Map(
    (await db.all(CountSchema, 'SELECT state, count(*) AS count FROM emails GROUP BY state')).map(
      ({ state, count }) => [state, count],
    ),
  );
