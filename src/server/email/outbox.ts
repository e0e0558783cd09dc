import * as v from 'valibot';
import { mailboxOf } from '#domain/email.ts';
import { columnsOf, insertRow } from '#server/db/columns.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { isoTime } from '#server/process/clock.ts';
import type { Customer, Services } from '#server/services/services.ts';
import type { Email } from './email.ts';

/**
 * A `waiting` email is retried until it is `sent`. It has `failed` if it was refused permanently or for three days; the
 * admin can send it again. An email that has become pointless is `dropped`.
 */
export const EMAIL_STATES = ['waiting', 'sent', 'failed', 'dropped'] as const;

const ROW = {
  /** Also the local part of its Message-ID, which stays the same when it is retried. */
  id: v.string(),
  kind: v.string(),
  /** The id of its subject, such as an order's. Everything else is read when it is sent. */
  about: v.string(),
  /** JSON; '{}' after it was sent. */
  details: v.string(),
  /** 1 if it goes to the staff, whatever it is about. */
  toStaff: v.number(),
  /** 1 if it is sent before others. */
  urgent: v.number(),
  state: v.picklist(EMAIL_STATES),
  /** The recipient; '' before the first try. */
  address: v.string(),
  /** `mailboxOf(address)`, for the limit of unverified addresses. */
  mailbox: v.string(),
  /** The mail server's reply to the last failed try. */
  failure: v.string(),
  tries: v.number(),
  createdAt: v.number(),
  changedAt: v.number(),
  /** In ms; null unless it is waiting. */
  nextTryAt: v.nullable(v.number()),
};

const RowSchema = v.object(ROW);

export type EmailRow = v.InferOutput<typeof RowSchema>;

const EMAIL = `SELECT ${columnsOf(ROW)} FROM emails`;

export type OutboxServices = Pick<Services, 'settings' | 'clock' | 'ids'>;

/**
 * Puts an email into the outbox, in the transaction of the change that it reports. It is sent within seconds. Stores
 * nothing if the shop sends no emails.
 */
export const queueEmail = <Details>(
  transaction: Transaction,
  services: OutboxServices,
  email: Email<Details>,
  about: string,
  ...[details]: object extends Details ? [] : [details: Details]
): Promise<void> => storeEmail(transaction, services, email, about, details ?? {});

/** Like `queueEmail`, without checking that the details fit the email. */
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
 * The emails that are due, the urgent ones first. The newest come first, so that neither emails that keep failing nor
 * thousands that a stranger caused delay others.
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
 * Claims an email for this process until `until`, in ms. Only one of several processes changes the row, because all
 * compare the same time. If that process dies, the email is due again at `until`. Returns 0 if another process claimed
 * it, or it is no longer waiting. @param tries 1 when a try begins, else 0
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

/** The result of a try. `nextTryAt` (ms) is set if the email is still waiting. */
export interface SendResult {
  readonly state: (typeof EMAIL_STATES)[number];
  readonly address?: string;
  readonly failure?: string;
  readonly nextTryAt?: number;
  /** The mail server failed, so other emails need not be tried now. */
  readonly isServerDown?: boolean;
}

/**
 * Stores the result of a try. If another process has claimed the email since, only a success is stored. A sent email
 * loses its details, because it is never sent again.
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

/** Drops the waiting emails of these kinds about any of these subjects. */
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

/** Returns 0 if the email has not failed. */
export const sendAgain = (transaction: Transaction, now: number, id: string): Promise<number> =>
  transaction.run(
    "UPDATE emails SET state = 'waiting', tries = 0, created_at = ?, changed_at = ?, next_try_at = ? WHERE id = ? AND state = 'failed'",
    now,
    now,
    now,
    id,
  );

const ExportedSchema = v.object({ kind: v.string(), state: v.picklist(EMAIL_STATES), changedAt: v.number() });

const OF_ACCOUNT = `to_staff = 0 AND (about = ?
  OR about IN (SELECT id FROM orders WHERE customer_id = ?)
  OR about IN (SELECT reference FROM payments JOIN orders ON number = order_number WHERE customer_id = ?))`;

/** The emails to an address, also those requested by others, and what was sent from it by the contact form. */
const OF_EMAIL = '(to_staff = 0 AND address = ?) OR about = ?';

type Identity = Pick<Customer, 'id' | 'email'>;

const accountValues = ({ id }: Identity) => [id, id, id] as const;
const addressValues = ({ email }: Identity) => [email, email] as const;

/**
 * Which emails went to a customer, for the export of personal data. Their texts are not stored.
 * @param isVerified whether the address is the customer's, so that emails linked by the address alone are included
 */
export const exportEmails = async (db: Reader, customer: Identity, isVerified: boolean): Promise<object[]> =>
  (
    await db.all(
      ExportedSchema,
      `SELECT kind, state, changed_at AS "changedAt" FROM emails
       WHERE (${OF_ACCOUNT}) ${isVerified ? `OR (${OF_EMAIL})` : ''} ORDER BY changed_at, id`,
      ...accountValues(customer),
      ...(isVerified ? addressValues(customer) : []),
    )
  ).map(({ changedAt, ...email }) => ({ ...email, at: isoTime(changedAt) }));

export const eraseEmailsOf = (transaction: Transaction, customer: Identity): Promise<number> =>
  transaction.run(
    `DELETE FROM emails WHERE (${OF_ACCOUNT}) OR (${OF_EMAIL})`,
    ...accountValues(customer),
    ...addressValues(customer),
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
