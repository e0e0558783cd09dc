import { randomUUID } from 'node:crypto';
import { type Insertable, sql } from 'kysely';
import { mailboxOf } from '#domain/email.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { prepared, q, type RowOf } from '#server/db/query.ts';
import type { Tables } from '#server/db/tables.ts';
import { isoTime, MINUTE, SECOND, SKEW } from '#server/process/clock.ts';
import type { Customer, Services } from '#server/services/services.ts';
import type { Email } from './email.ts';

/**
 * A `waiting` email is retried until it is `sent`. It has `failed` if it was refused permanently or for three days; the
 * admin can send it again. An email that has become pointless is `dropped`.
 */
export const EMAIL_STATES = ['waiting', 'sent', 'failed', 'dropped'] as const;

/**
 * `id` is also the local part of its Message-ID, which stays the same when it is retried. `subjectId` is the id of its
 * subject, such as an order's: everything else is read when it is sent. `details` is '{}' once it was sent. `address` is ''
 * before the first try. `mailbox` is for the limit of unverified addresses. `failure` is the mail server's reply to
 * the last failed try. `nextTryAt` is in ms, and null unless it is waiting.
 */
const EMAIL = q
  .selectFrom('emails')
  .select([
    'id',
    'kind',
    'subjectId',
    'details',
    'toStaff',
    'urgent',
    'state',
    'address',
    'mailbox',
    'failure',
  ])
  .select(['tries', 'createdAt', 'changedAt', 'nextTryAt']);

export type EmailRow = RowOf<typeof EMAIL>;

export type OutboxServices = Pick<Services, 'settings' | 'clock'>;

/** Delay in ms before an email about a staff action is sent, so that the action can be undone unnoticed. */
export const TAKE_BACK_WITHIN = 2 * 60_000;

const INSERT = prepared((row: Insertable<Tables['emails']>) => q.insertInto('emails').values(row));

/**
 * Puts an email into the outbox, in the transaction of the change that it reports. It is sent within seconds, or after
 * `waits` ms.
 */
export async function queueEmail<Details>(
  transaction: Transaction,
  { settings, clock }: OutboxServices,
  { kind, isToStaff, isUrgent, waits = 0 }: Email<Details> & { readonly waits?: number },
  subjectId: string,
  ...[details]: object extends Details ? [details?: Details] : [details: Details]
): Promise<void> {
  if (!settings.mail) return;
  const now = clock();
  await transaction.run(
    INSERT({
      id: randomUUID(),
      kind,
      subjectId,
      details: JSON.stringify(details ?? {}),
      toStaff: isToStaff ? 1 : 0,
      urgent: isUrgent ? 1 : 0,
      state: 'waiting',
      createdAt: now,
      changedAt: now,
      nextTryAt: now + waits,
    }),
  );
}

/** Emails that were stored, tried or claimed by a clock that was ahead. Their `nextTryAt` means nothing. */
const AHEAD = prepared(({ ahead, max }: { ahead: number; max: number }) =>
  EMAIL.where('state', '=', 'waiting').where('changedAt', '>', ahead).limit(max),
);

const DUE = prepared(({ now, max, urgent }: { now: number; max: number; urgent: 0 | 1 }) =>
  EMAIL.where('nextTryAt', '<=', now).where('urgent', '=', urgent).orderBy('createdAt', 'desc').limit(max),
);

/**
 * The emails that are due: urgent ones first, then the newest, so that neither failing emails nor thousands that a
 * stranger caused delay others.
 */
export async function dueEmails(db: Reader, now: number, max: number): Promise<EmailRow[]> {
  const due = (urgent: 0 | 1) => db.rows(DUE({ now, max, urgent }));
  const rows = [...(await due(1)), ...(await due(0)), ...(await db.rows(AHEAD({ ahead: now + SKEW, max })))];
  return rows.slice(0, max);
}

/** For how long a process claims an email, in ms. If it dies, another one tries after that. */
export const CLAIM = 45 * SECOND;

interface ClaimValues extends Pick<EmailRow, 'id' | 'nextTryAt'> {
  readonly now: number;
  readonly until: number;
  readonly tries: number;
}

const CLAIM_EMAIL = prepared(({ id, nextTryAt, now, until, tries }: ClaimValues) =>
  q
    .updateTable('emails')
    .set(({ eb }) => ({ changedAt: now, nextTryAt: until, tries: eb('tries', '+', tries) }))
    .where('id', '=', id)
    .where('nextTryAt', '=', nextTryAt),
);

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
): Promise<number> => transaction.run(CLAIM_EMAIL({ id, nextTryAt, now: until - CLAIM, until, tries }));

/** The result of a try. `nextTryAt` (ms) is set if the email is still waiting. */
export interface SendResult {
  readonly state: EmailRow['state'];
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
  { id, details, nextTryAt: claimedUntil }: EmailRow,
  { state, address, failure = '', nextTryAt }: SendResult,
): Promise<number> =>
  transaction.run(
    q
      .updateTable('emails')
      .set({ state, failure, changedAt: now })
      .set(address === undefined ? {} : { address, mailbox: mailboxOf(address) })
      .set({ details: state === 'sent' || state === 'dropped' ? '{}' : details })
      .set({ nextTryAt: state === 'waiting' ? (nextTryAt ?? now) : null })
      .where('id', '=', id)
      .$if(state !== 'sent', (update) => update.where('nextTryAt', '=', claimedUntil)),
  );

const dropped = (now: number) =>
  q
    .updateTable('emails')
    .set({ state: 'dropped', details: '{}', changedAt: now, nextTryAt: null })
    .where('state', '=', 'waiting');

/** Drops the waiting emails of these kinds about any of these subjects. */
export const dropWaiting = (
  transaction: Transaction,
  now: number,
  kinds: readonly string[],
  subjectIds: readonly string[],
): Promise<number> =>
  transaction.run(dropped(now).where('kind', 'in', kinds).where('subjectId', 'in', subjectIds));

/** Whether an email is waiting whose text is written later, with what changes now. */
export const isUnwritten = async (db: Reader, kind: string, subjectId: string): Promise<boolean> => {
  const waiting = EMAIL.where('kind', '=', kind)
    .where('subjectId', '=', subjectId)
    .where('state', '=', 'waiting')
    // Without a failure, its first try is under way.
    .where(({ eb, or }) => or([eb('tries', '=', 0), eb('failure', '!=', '')]));
  return (await db.row(waiting.limit(1))) !== undefined;
};

/** Drops the email about an undone action. Returns whether it may have been sent: then a correction is needed. */
export async function takeEmailBack(
  transaction: Transaction,
  { settings, clock }: OutboxServices,
  kind: string,
  subjectId: string,
): Promise<boolean> {
  if (!settings.mail) return false;
  const waiting = dropped(clock()).where('kind', '=', kind).where('subjectId', '=', subjectId);
  if ((await transaction.run(waiting.where('tries', '=', 0))) > 0) return false;
  await transaction.run(waiting);
  return true;
}

/** Returns 0 if the email has not failed. */
export const sendAgain = (transaction: Transaction, now: number, id: string): Promise<number> =>
  transaction.run(
    q
      .updateTable('emails')
      .set({ state: 'waiting', tries: 0, createdAt: now, changedAt: now, nextTryAt: now })
      .where('id', '=', id)
      .where('state', '=', 'failed'),
  );

type Identity = Pick<Customer, 'id' | 'email'>;

const ofAccount = ({ id }: Identity) => sql<boolean>`(to_staff = 0 AND (subject_id = ${id}
  OR subject_id IN (SELECT id FROM orders WHERE customer_id = ${id})
  OR subject_id IN (SELECT reference FROM payment_attempts JOIN orders ON number = order_number WHERE customer_id = ${id})
  OR subject_id IN (SELECT movements.id FROM movements JOIN orders ON number = order_number WHERE customer_id = ${id})
  OR subject_id IN (SELECT adjustments.id FROM adjustments JOIN orders ON number = order_number
    WHERE customer_id = ${id})))`;

/** The emails to an address, including those that others requested, and those sent from it by the contact form. */
const ofEmail = ({ email }: Identity) =>
  sql<boolean>`((to_staff = 0 AND address = ${email}) OR subject_id = ${email})`;

const EXPORTED = q.selectFrom('emails').select(['kind', 'state', 'changedAt']);

async function exported(db: Reader, emails: typeof EXPORTED): Promise<object[]> {
  const rows = await db.rows(emails.orderBy('changedAt').orderBy('id'));
  return rows.map(({ changedAt, ...email }) => ({ ...email, at: isoTime(changedAt) }));
}

/**
 * Which emails went to a customer, for the export of personal data. Their texts are not stored.
 * @param isVerified whether the address is the customer's, so that emails linked by the address alone are included
 */
export const exportEmails = (db: Reader, customer: Identity, isVerified: boolean): Promise<object[]> =>
  exported(
    db,
    EXPORTED.where(({ or }) => or([ofAccount(customer), ...(isVerified ? [ofEmail(customer)] : [])])),
  );

/** The same of the emails to a customer about any of these subjects. */
export const exportEmailsAbout = (db: Reader, subjectIds: readonly string[]): Promise<object[]> =>
  exported(db, EXPORTED.where('subjectId', 'in', subjectIds).where('toStaff', '=', 0));

export const eraseEmailsAbout = (transaction: Transaction, subjectIds: readonly string[]): Promise<number> =>
  transaction.run(q.deleteFrom('emails').where('subjectId', 'in', subjectIds).where('toStaff', '=', 0));

export const eraseEmailsOf = (transaction: Transaction, customer: Identity): Promise<number> =>
  transaction.run(q.deleteFrom('emails').where(({ or }) => or([ofAccount(customer), ofEmail(customer)])));

/** Emails to a customer that failed or are retried, about any of these subjects. */
export const failingEmails = (db: Reader, subjectIds: readonly string[]): Promise<EmailRow[]> =>
  db.rows(
    EMAIL.where('subjectId', 'in', subjectIds)
      .where('toStaff', '=', 0)
      .where('state', 'in', ['failed', 'waiting'])
      .where('failure', '!=', '')
      .orderBy('createdAt'),
  );

/** The failure of an email to an unverified address that has reached its limit. */
export const TOO_MANY = 'Its address is not confirmed, and has had as many emails as it may get in an hour.';

/** In ms. An email that is due for longer is sent by no process. */
const OVERDUE = 10 * MINUTE;

/**
 * Returns the emails that wait, or failed, because the mail server has accepted none since. Undefined if there are none. A
 * single email that was refused permanently is about its recipient. @param now in ms
 */
export async function stuckEmails(db: Reader, now: number) {
  const ended = q.selectFrom('emails').select(({ fn }) => fn.max('changedAt').as('at'));
  const sent = await db.row(ended.where('state', '=', 'sent').where('changedAt', '<=', now + SKEW));
  const tried = sql<boolean>`failure NOT IN ('', ${TOO_MANY}) AND changed_at >= ${sent?.at ?? 0}`;
  const overdue = sql<boolean>`next_try_at < ${now - OVERDUE}`;
  const stuck = q
    .selectFrom('emails')
    .where(({ or, and, eb }) =>
      or([
        and([eb('state', '=', 'waiting'), or([tried, overdue])]),
        and([eb('state', '=', 'failed'), tried]),
      ]),
    );
  const counts = await db.rows(
    stuck
      .select(['state', ({ fn }) => fn.countAll<number>().as('count')])
      .select(({ fn }) => fn.count<number>('mailbox').distinct().as('mailboxes'))
      .select(({ fn }) => fn.min('createdAt').as('since'))
      .groupBy('state'),
  );
  const of = (state: EmailRow['state']) => counts.find((row) => row.state === state);
  const failed = of('failed');
  if (!of('waiting') && (failed?.mailboxes ?? 0) < 2) return undefined;
  const newest = stuck.select('failure').orderBy('changedAt', 'desc').limit(1);
  return {
    waiting: of('waiting')?.count ?? 0,
    failed: failed?.count ?? 0,
    since: Math.min(...counts.map(({ since }) => since)),
    reply: (await db.row(newest))?.failure ?? '',
  };
}

/** Newest first. */
export const emailsIn = (db: Reader, state: EmailRow['state'], max: number): Promise<EmailRow[]> =>
  db.rows(EMAIL.where('state', '=', state).orderBy('changedAt', 'desc').orderBy('id').limit(max));

const COUNTS = q.selectFrom('emails').select(['state', ({ fn }) => fn.countAll<number>().as('count')]);

export const countEmails = async (db: Reader): Promise<ReadonlyMap<EmailRow['state'], number>> =>
  new Map((await db.rows(COUNTS.groupBy('state'))).map(({ state, count }) => [state, count]));
