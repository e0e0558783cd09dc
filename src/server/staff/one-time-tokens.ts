import * as v from 'valibot';
import { ADMIN } from '#server/admin/paths.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { tokenHash } from '#server/services/ids.ts';
import type { Services } from '#server/services/services.ts';

/** How long somebody who has typed the password has for the code, in ms. */
const STEP_LIFE = 10 * 60 * 1_000;

/** Notes that somebody has typed the right password, and returns the token that comes back with the code. */
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

/** Whose password was typed; undefined where it is too long ago, or was changed since. */
export const findStep = (db: Reader, token: string, now: number) =>
  db.get(
    StepSchema,
    `SELECT staff_id AS "staffId", email FROM staff_sign_in_steps JOIN staff ON staff.id = staff_id
     WHERE token_hash = ? AND expires_at > ?`,
    tokenHash(token),
    now,
  );

/** Returns false where it was ended meanwhile. */
export const endStep = async (transaction: Transaction, token: string): Promise<boolean> =>
  (await transaction.run('DELETE FROM staff_sign_in_steps WHERE token_hash = ?', tokenHash(token))) > 0;

/** In ms. */
const LINK_LIFE = 15 * 60 * 1_000;

export const LINK_MINUTES = LINK_LIFE / 60_000;

/** Makes a link by which somebody chooses a password, once. It replaces an earlier one. Only its hash is stored. */
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
  // What follows # is sent to no server, so it is in no log.
  return `${origin}${ADMIN}/link#${token}`;
}

const LinkRowSchema = v.object({ staffId: v.string(), email: v.string() });

type Link = v.InferOutput<typeof LinkRowSchema>;

/** Whom a link is for; undefined where it was used, is too old or unknown. */
export const findLink = (db: Reader, now: number, token: string): Promise<Link | undefined> =>
  db.get(
    LinkRowSchema,
    `SELECT staff.id AS "staffId", email FROM staff_links JOIN staff ON staff.id = staff_links.staff_id
     WHERE token_hash = ? AND used_at IS NULL AND expires_at > ?`,
    tokenHash(token),
    now,
  );

/** Returns false where the link was used in the meantime, or has expired. */
export async function takeLink(transaction: Transaction, now: number, token: string): Promise<boolean> {
  const taken = await transaction.run(
    'UPDATE staff_links SET used_at = ? WHERE token_hash = ? AND used_at IS NULL AND expires_at > ?',
    now,
    tokenHash(token),
    now,
  );
  return taken > 0;
}
