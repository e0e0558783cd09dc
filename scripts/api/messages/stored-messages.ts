import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { columnsOf } from '#scripts/api/db/columns.ts';
import type { Reader, Transaction } from '#scripts/api/db/database.ts';
import type { User } from '#scripts/api/shop/shop.ts';
import { isoTime } from '#scripts/program/clock.ts';

const HOUR = 60 * 60 * 1_000;

/** A message that has waited for so long is late, in ms. */
export const LATE_AFTER = 48 * HOUR;

const ROW = {
  ticket: v.string(),
  name: v.string(),
  email: v.string(),
  subject: v.string(),
  message: v.string(),
  /** Whose account wrote it; null where nobody was signed in. Anybody may type any email. */
  userId: v.nullable(v.string()),
  language: v.nullable(v.string()),
  createdAt: v.number(),
  /** What went out as a letter; '' before it is answered, and if it was closed without an answer. */
  answer: v.string(),
  /** The email of who answered it, or closed it without an answer. */
  answeredBy: v.string(),
  /** null as long as it waits */
  answeredAt: v.nullable(v.number()),
};

const RowSchema = v.object(ROW);

export type Message = v.InferOutput<typeof RowSchema>;

const MESSAGE = `SELECT ${columnsOf(ROW)} FROM messages`;

const TicketSchema = v.object({ ticket: v.string() });

/**
 * Stores a message, and returns its ticket. Sent again while it waits, as after an answer that was lost on its way, it is
 * stored once, and the ticket is the earlier one.
 */
export async function storeMessage(
  transaction: Transaction,
  {
    ticket,
    name,
    email,
    subject,
    message,
    userId,
    language,
    createdAt,
  }: Omit<Message, 'answer' | 'answeredBy' | 'answeredAt'>,
): Promise<string> {
  const digest = createHash('sha256')
    .update(JSON.stringify([name, email, subject, message]))
    .digest('hex');
  const stored = await transaction.get(
    TicketSchema,
    `INSERT INTO messages (ticket, name, email, subject, message, digest, user_id, language, created_at, answer, answered_by)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '', '')
     ON CONFLICT (digest) WHERE answered_at IS NULL DO UPDATE SET digest = excluded.digest RETURNING ticket`,
    ticket,
    name,
    email,
    subject,
    message,
    digest,
    userId,
    language,
    createdAt,
  );
  return stored?.ticket ?? ticket;
}

export const findMessage = (db: Reader, ticket: string): Promise<Message | undefined> =>
  db.get(RowSchema, `${MESSAGE} WHERE ticket = ?`, ticket);

/** Those that wait, the oldest first, so that late ones are on top. */
export const waitingMessages = (db: Reader, most: number): Promise<Message[]> =>
  db.all(RowSchema, `${MESSAGE} WHERE answered_at IS NULL ORDER BY created_at, ticket LIMIT ?`, most);

/** Those that are done, the newest first. */
export const doneMessages = (db: Reader, most: number): Promise<Message[]> =>
  db.all(
    RowSchema,
    `${MESSAGE} WHERE answered_at IS NOT NULL ORDER BY answered_at DESC, ticket LIMIT ?`,
    most,
  );

/** Those with this ticket, or from this email, the newest first. */
export const soughtMessages = (db: Reader, sought: string, most: number): Promise<Message[]> =>
  db.all(
    RowSchema,
    `${MESSAGE} WHERE ticket = ? OR email = ? ORDER BY created_at DESC, ticket LIMIT ?`,
    sought.toUpperCase(),
    sought.toLowerCase(),
    most,
  );

export const isLate = ({ answeredAt, createdAt }: Message, now: number): boolean =>
  answeredAt === null && createdAt <= now - LATE_AFTER;

const CountSchema = v.object({ waiting: v.number(), late: v.number() });

/** How many wait, and how many of these are late. */
export const countMessages = async (db: Reader, now: number): Promise<v.InferOutput<typeof CountSchema>> =>
  (await db.get(
    CountSchema,
    `SELECT COUNT(*) AS waiting, COUNT(CASE WHEN created_at <= ? THEN 1 END) AS late
     FROM messages WHERE answered_at IS NULL`,
    now - LATE_AFTER,
  )) ?? { waiting: 0, late: 0 };

/** Stores who answered, and what; '' closes the message without an answer. Returns 0 if somebody has done so before. */
export const finishMessage = (
  transaction: Transaction,
  { ticket, answer, answeredBy, at }: Pick<Message, 'ticket' | 'answer' | 'answeredBy'> & { at: number },
): Promise<number> =>
  transaction.run(
    'UPDATE messages SET answer = ?, answered_by = ?, answered_at = ? WHERE ticket = ? AND answered_at IS NULL',
    answer,
    answeredBy,
    at,
    ticket,
  );

/**
 * What an account has written, as the file of everything about a person has it. What was written without an account is left
 * out, because nobody has proven that its email is theirs.
 */
export const keptMessages = async (db: Reader, userId: string): Promise<object[]> =>
  (await db.all(RowSchema, `${MESSAGE} WHERE user_id = ? ORDER BY created_at, ticket`, userId)).map(
    ({ ticket, name, email, subject, message, createdAt, answer, answeredAt }) => ({
      ticket,
      name,
      email,
      subject,
      message,
      at: isoTime(createdAt),
      answer,
      answeredAt: answeredAt === null ? null : isoTime(answeredAt),
    }),
  );

export const forgetMessagesOf = (
  transaction: Transaction,
  { id, email }: Pick<User, 'id' | 'email'>,
): Promise<number> => transaction.run('DELETE FROM messages WHERE user_id = ? OR email = ?', id, email);
