import * as v from 'valibot';
import type { Reader, Transaction } from '#scripts/api/db/database.ts';
import type { Letter, Recipient } from '#scripts/api/letters/letter.ts';
import { type Post, storeLetter } from '#scripts/api/letters/outbox.ts';

/** What is stored with every letter to the owners: the id of the one to whom it goes. */
export const OWNER_DETAILS = { owner: v.string() };

interface OwnerDetails {
  readonly owner: string;
}

/** The condition for owners who can sign in. */
const IS_OWNER = "role = 'owner' AND password_hash IS NOT NULL";

/** Puts a letter to each owner of the office into the outbox. Where there is none, nobody is written. */
export async function queueForOwners<Details extends object>(
  transaction: Transaction,
  post: Post,
  letter: Letter<Details & OwnerDetails>,
  about: string,
  details: Details,
): Promise<void> {
  const owners = await transaction.all(
    v.object({ owner: v.string() }),
    `SELECT id AS owner FROM staff WHERE ${IS_OWNER} ORDER BY id`,
  );
  for (const { owner } of owners) await storeLetter(transaction, post, letter, about, { ...details, owner });
}

const AddressSchema = v.object({ address: v.string(), name: v.string() });

/** Undefined where somebody is no owner any more. The office is in English, and so is what its owners are written. */
export async function findOwner(db: Reader, id: string): Promise<Recipient | undefined> {
  const found = await db.get(
    AddressSchema,
    `SELECT email AS address, name FROM staff WHERE id = ? AND ${IS_OWNER}`,
    id,
  );
  return found && { ...found, language: 'en' };
}
