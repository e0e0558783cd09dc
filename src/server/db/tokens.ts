import { createHash, randomBytes } from 'node:crypto';
import type { Reader, Transaction } from '#server/db/database.ts';
import { q } from '#server/db/query.ts';
import { MINUTE } from '#server/process/clock.ts';

/** A kind of token, such as that of a session, or of a link that works once. */
export interface TokenKind {
  /** Only the code for this purpose accepts it. */
  readonly purpose: string;
  /** How long it works. */
  readonly minutes: number;
}

/** Returns a token. The database has only its hash. @param subjectId its subject, such as the id of an account */
export async function makeToken(
  transaction: Transaction,
  now: number,
  { purpose, minutes }: TokenKind,
  subjectId: string,
): Promise<string> {
  const token = randomToken();
  const row = { tokenHash: tokenHash(token), purpose, subjectId, expiresAt: now + minutes * MINUTE };
  await transaction.run(q.insertInto('tokens').values(row));
  return token;
}

/** Returns the subject of a token; undefined if it was used, has expired or is unknown. */
export async function findToken(
  db: Reader,
  now: number,
  { purpose }: TokenKind,
  token: string,
): Promise<string | undefined> {
  const valid = q.selectFrom('tokens').select('subjectId').where('expiresAt', '>', now);
  const own = valid.where('tokenHash', '=', tokenHash(token)).where('purpose', '=', purpose);
  return (await db.row(own))?.subjectId;
}

/** Uses up a token. Returns its subject; undefined if it was used, has expired or is unknown. */
export async function consumeToken(
  transaction: Transaction,
  now: number,
  { purpose }: TokenKind,
  token: string,
): Promise<string | undefined> {
  const valid = q.deleteFrom('tokens').where('expiresAt', '>', now);
  const own = valid.where('tokenHash', '=', tokenHash(token)).where('purpose', '=', purpose);
  return (await transaction.row(own.returning('subjectId')))?.subjectId;
}

/** Ends all tokens of these kinds about this subject. Returns how many. */
export const endTokens = (
  transaction: Transaction,
  kinds: readonly TokenKind[],
  subjectId: string,
): Promise<number> => {
  const purposes = kinds.map(({ purpose }) => purpose);
  return transaction.run(
    q.deleteFrom('tokens').where('purpose', 'in', purposes).where('subjectId', '=', subjectId),
  );
};

/** 256 random bits. */
export const randomToken = (): string => randomBytes(32).toString('base64url');

/** Returns the hash of a session, link or device token. The token itself is never stored. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('base64url');
