import * as v from 'valibot';
import type { Reader, Transaction } from '#scripts/api/db/database.ts';
import { tokenHash } from '#scripts/api/shop/ids.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import type { LinkKind } from './letter.ts';

const MINUTE = 60_000;

/**
 * Makes the secret of a link and returns its address. The secret stands in the letter alone: it is made when the letter
 * is sent, and the database has its hash. Links that were sent before go on working, because the letter that arrives may
 * be the first of two.
 */
export async function makeLink(
  transaction: Transaction,
  { ids, clock }: Pick<Shop, 'ids' | 'clock'>,
  site: string,
  { purpose, path, minutes }: LinkKind,
  about: string,
): Promise<string> {
  const token = ids.token();
  await transaction.run('DELETE FROM letter_links WHERE expires_at <= ?', clock());
  await transaction.run(
    'INSERT INTO letter_links (token_hash, purpose, about, expires_at) VALUES (?, ?, ?, ?)',
    tokenHash(token),
    purpose,
    about,
    clock() + minutes * MINUTE,
  );
  return `${site}${path}#${token}`;
}

const AboutSchema = v.object({ about: v.string() });

/** What a link is about; undefined where it was used, is too old or unknown. */
export const findLink = async (
  db: Reader,
  now: number,
  purpose: string,
  token: string,
): Promise<string | undefined> =>
  (
    await db.get(
      AboutSchema,
      'SELECT about FROM letter_links WHERE token_hash = ? AND purpose = ? AND expires_at > ?',
      tokenHash(token),
      purpose,
      now,
    )
  )?.about;

/** Uses a link up. Returns false where it was used meanwhile. */
export const takeLink = async (
  transaction: Transaction,
  now: number,
  purpose: string,
  token: string,
): Promise<boolean> =>
  (await transaction.run(
    'DELETE FROM letter_links WHERE token_hash = ? AND purpose = ? AND expires_at > ?',
    tokenHash(token),
    purpose,
    now,
  )) > 0;

/** Ends all links of a purpose that are about the same thing. */
export const endLinks = (transaction: Transaction, purpose: string, about: string): Promise<number> =>
  transaction.run('DELETE FROM letter_links WHERE purpose = ? AND about = ?', purpose, about);
