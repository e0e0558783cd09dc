import * as v from 'valibot';
import { ADMIN } from '#server/admin/paths.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
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
  await transaction.run('DELETE FROM staff_sign_in_steps WHERE expires_at <= ?', clock());
  await transaction.run(
    'INSERT INTO staff_sign_in_steps (token_hash, staff_id, expires_at) VALUES (?, ?, ?)',
    tokenHash(token),
    staffId,
    clock() + STEP_LIFE,
  );
  return token;
}

const StepSchema = v.object({ staffId: v.string(), email: v.string() });

export type SignInStep = v.InferOutput<typeof StepSchema>;

/** Returns the staff member of a step; undefined if it has expired or the password changed since. */
export const findStep = (db: Reader, token: string, now: number) =>
  db.get(
    StepSchema,
    `SELECT staff_id AS "staffId", email FROM staff_sign_in_steps JOIN staff ON staff.id = staff_id
     WHERE token_hash = ? AND expires_at > ?`,
    tokenHash(token),
    now,
  );

/** Returns false if it has already ended. */
export const endStep = async (transaction: Transaction, token: string): Promise<boolean> =>
  (await transaction.run('DELETE FROM staff_sign_in_steps WHERE token_hash = ?', tokenHash(token))) > 0;

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
  await transaction.run('DELETE FROM staff_links WHERE staff_id = ? AND used_at IS NULL', staffId);
  await transaction.run(
    'INSERT INTO staff_links (token_hash, staff_id, expires_at) VALUES (?, ?, ?)',
    tokenHash(token),
    staffId,
    clock() + LINK_LIFE,
  );
  // Browsers do not send the part after #, so the token is in no log.
  return `${origin}${ADMIN}/link#${token}`;
}

const LinkRowSchema = v.object({ staffId: v.string(), email: v.string() });

type Link = v.InferOutput<typeof LinkRowSchema>;

/** Returns the staff member of a link; undefined if it is used, expired or unknown. */
export const findLink = (db: Reader, now: number, token: string): Promise<Link | undefined> =>
  db.get(
    LinkRowSchema,
    `SELECT staff.id AS "staffId", email FROM staff_links JOIN staff ON staff.id = staff_links.staff_id
     WHERE token_hash = ? AND used_at IS NULL AND expires_at > ?`,
    tokenHash(token),
    now,
  );

/** Returns false if the link is used or expired. */
export async function consumeLink(transaction: Transaction, now: number, token: string): Promise<boolean> {
  const used = await transaction.run(
    'UPDATE staff_links SET used_at = ? WHERE token_hash = ? AND used_at IS NULL AND expires_at > ?',
    now,
    tokenHash(token),
    now,
  );
  return used > 0;
}
