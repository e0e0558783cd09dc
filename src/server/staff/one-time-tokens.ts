import { ADMIN } from '#server/admin/paths.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { q, type RowOf } from '#server/db/query.ts';
import { tokenHash } from '#server/services/ids.ts';
import type { Services } from '#server/services/services.ts';

/** The time between password and code, in ms. */
const STEP_LIFE = 10 * 60 * 1_000;

/** Stores that the password was right. Returns the token that the form with the code sends back. */
export async function beginStep(
  transaction: Transaction,
  { ids, clock }: Pick<Services, 'ids' | 'clock'>,
  staffId: string,
): Promise<string> {
  const token = ids.token();
  await transaction.run(q.deleteFrom('staffSignInSteps').where('expiresAt', '<=', clock()));
  const step = { tokenHash: tokenHash(token), staffId, expiresAt: clock() + STEP_LIFE };
  await transaction.run(q.insertInto('staffSignInSteps').values(step));
  return token;
}

const STEP = q
  .selectFrom('staffSignInSteps')
  .innerJoin('staff', 'staff.id', 'staffId')
  .select(['staffId', 'email']);

export type SignInStep = RowOf<typeof STEP>;

/** Returns the staff member of a step; undefined if it has expired or the password changed since. */
export const findStep = (db: Reader, token: string, now: number) =>
  db.row(STEP.where('tokenHash', '=', tokenHash(token)).where('expiresAt', '>', now));

/** Returns false if it has already ended. */
export const endStep = async (transaction: Transaction, token: string): Promise<boolean> =>
  (await transaction.run(q.deleteFrom('staffSignInSteps').where('tokenHash', '=', tokenHash(token)))) > 0;

/** In ms. */
const LINK_LIFE = 15 * 60 * 1_000;

export const LINK_MINUTES = LINK_LIFE / 60_000;

/** Returns a link to choose a password, once. It replaces an earlier one. Only its hash is stored. */
export async function makeLink(
  transaction: Transaction,
  { ids, clock }: Pick<Services, 'ids' | 'clock'>,
  origin: string,
  staffId: string,
): Promise<string> {
  const token = ids.token();
  await eraseUnusedLinks(transaction, staffId);
  const link = { tokenHash: tokenHash(token), staffId, expiresAt: clock() + LINK_LIFE };
  await transaction.run(q.insertInto('staffLinks').values(link));
  // Browsers do not send the part after #, so the token is in no log.
  return `${origin}${ADMIN}/link#${token}`;
}

export const eraseUnusedLinks = (transaction: Transaction, staffId: string): Promise<number> =>
  transaction.run(q.deleteFrom('staffLinks').where('staffId', '=', staffId).where('usedAt', 'is', null));

const LINK = q
  .selectFrom('staffLinks')
  .innerJoin('staff', 'staff.id', 'staffId')
  .select(['staffId', 'email'])
  .where('usedAt', 'is', null);

/** Returns the staff member of a link; undefined if it is used, expired or unknown. */
export const findLink = (db: Reader, now: number, token: string) =>
  db.row(LINK.where('tokenHash', '=', tokenHash(token)).where('expiresAt', '>', now));

/** Returns false if the link is used or expired. */
export async function consumeLink(transaction: Transaction, now: number, token: string): Promise<boolean> {
  const link = q.updateTable('staffLinks').set({ usedAt: now }).where('tokenHash', '=', tokenHash(token));
  return (await transaction.run(link.where('usedAt', 'is', null).where('expiresAt', '>', now))) > 0;
}
