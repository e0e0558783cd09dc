import * as v from 'valibot';
import { columnsOf } from '#scripts/api/db/columns.ts';
import type { Reader, Transaction } from '#scripts/api/db/database.ts';
import { endLinks } from '#scripts/api/letters/links.ts';
import { isoTime } from '#scripts/program/clock.ts';
import { CONFIRM } from './confirm-link.ts';

const ROW = {
  email: v.string(),
  language: v.nullable(v.string()),
  /**
   * By which the address leaves. It is stored as it is, because the office exports it, and whoever can read it here can
   * read the addresses, too. It opens nothing, and it works for as long as the row is kept.
   */
  leaveToken: v.string(),
  /** When somebody last asked for the newsletter with this address. */
  askedAt: v.number(),
  /** null until the link of a letter was opened */
  confirmedAt: v.nullable(v.number()),
  /** null unless the address has left since. It may ask again, and is back once it confirms. */
  leftAt: v.nullable(v.number()),
};

const RowSchema = v.object(ROW);

export type Subscriber = v.InferOutput<typeof RowSchema>;

const SUBSCRIBER = `SELECT ${columnsOf(ROW)} FROM subscribers`;

/** The condition for addresses that get the newsletter. */
const SUBSCRIBED = 'confirmed_at IS NOT NULL AND left_at IS NULL';

export const isSubscribed = ({ confirmedAt, leftAt }: Subscriber): boolean =>
  confirmedAt !== null && leftAt === null;

/**
 * Stores that somebody asked for the newsletter. The same statement runs for known and unknown addresses, so that its
 * time tells nothing (faults 106).
 */
export const storeRequest = (
  transaction: Transaction,
  { email, language, leaveToken, askedAt }: Omit<Subscriber, 'confirmedAt' | 'leftAt'>,
): Promise<number> =>
  transaction.run(
    `INSERT INTO subscribers (email, language, leave_token, asked_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (email) DO UPDATE SET asked_at = excluded.asked_at,
       language = CASE WHEN subscribers.confirmed_at IS NOT NULL AND subscribers.left_at IS NULL
         THEN subscribers.language ELSE excluded.language END`,
    email,
    language,
    leaveToken,
    askedAt,
  );

export const findSubscriber = (db: Reader, email: string): Promise<Subscriber | undefined> =>
  db.get(RowSchema, `${SUBSCRIBER} WHERE email = ?`, email);

/** Lets no other transaction confirm or leave for the address until this one ends. Returns false where it is not known. */
export const lockSubscriber = async (transaction: Transaction, email: string): Promise<boolean> =>
  (await transaction.get(
    v.unknown(),
    'SELECT email FROM subscribers WHERE email = ? FOR NO KEY UPDATE',
    email,
  )) !== undefined;

/** Returns 0 where the address gets the newsletter already. */
export const confirmSubscriber = (transaction: Transaction, email: string, now: number): Promise<number> =>
  transaction.run(
    `UPDATE subscribers SET confirmed_at = ?, left_at = NULL WHERE email = ? AND NOT (${SUBSCRIBED})`,
    now,
    email,
  );

const EmailSchema = v.object({ email: v.string() });

/** The address that leaves by a link, also if it has left before. */
export const emailLeavingBy = async (db: Reader, leaveToken: string): Promise<string | undefined> =>
  (await db.get(EmailSchema, 'SELECT email FROM subscribers WHERE leave_token = ?', leaveToken))?.email;

/**
 * Takes an address off the list. Confirm links that were sent before stop working. Returns false where the address is
 * not known.
 */
export async function leaveNewsletter(
  transaction: Transaction,
  email: string,
  now: number,
): Promise<boolean> {
  if (!(await lockSubscriber(transaction, email))) return false;
  await transaction.run('UPDATE subscribers SET left_at = ? WHERE email = ? AND left_at IS NULL', now, email);
  await endLinks(transaction, now, CONFIRM, email);
  return true;
}

/** Those who get the newsletter, by address, after this one. */
export const subscribersAfter = (db: Reader, email: string, most: number): Promise<Subscriber[]> =>
  db.all(RowSchema, `${SUBSCRIBER} WHERE ${SUBSCRIBED} AND email > ? ORDER BY email LIMIT ?`, email, most);

const CountSchema = v.object({ subscribed: v.number(), asked: v.number(), gone: v.number() });

/** How many get the newsletter, have not confirmed yet, and have left. */
export const countSubscribers = async (db: Reader): Promise<v.InferOutput<typeof CountSchema>> =>
  (await db.get(
    CountSchema,
    `SELECT COUNT(CASE WHEN ${SUBSCRIBED} THEN 1 END) AS subscribed,
            COUNT(CASE WHEN confirmed_at IS NULL AND left_at IS NULL THEN 1 END) AS asked,
            COUNT(left_at) AS gone
     FROM subscribers`,
  )) ?? { subscribed: 0, asked: 0, gone: 0 };

const timeOf = (time: number | null): string | null => (time === null ? null : isoTime(time));

/** What is kept about an address, as the file of everything about a person has it. */
export const keptSubscription = async (db: Reader, email: string): Promise<object[]> => {
  const subscriber = await findSubscriber(db, email);
  if (!subscriber) return [];
  const { language, askedAt, confirmedAt, leftAt } = subscriber;
  return [{ language, askedAt: isoTime(askedAt), confirmedAt: timeOf(confirmedAt), leftAt: timeOf(leftAt) }];
};

export async function forgetSubscriber(transaction: Transaction, email: string, now: number): Promise<void> {
  await transaction.run('DELETE FROM subscribers WHERE email = ?', email);
  await endLinks(transaction, now, CONFIRM, email);
}
