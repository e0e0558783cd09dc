import * as v from 'valibot';
import { checkPassword } from '#scripts/api/customers/check-password.ts';
import type { Reader, Transaction } from '#scripts/api/db/database.ts';
import type { OfficeContext } from '#scripts/api/office/page.ts';
import { tokenHash } from '#scripts/api/shop/ids.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { deviceOf } from './session.ts';
import { findPersonByEmail, type Person } from './stored-staff.ts';

/** Returns the person with this email and password, or undefined, by the rules of customers. @throws Refusal 429, 503 */
export async function checkStaffPassword(
  context: OfficeContext,
  shop: Shop,
  email: string,
  password: string,
): Promise<Person | undefined> {
  const credentials = {
    email,
    password,
    address: shop.clientAddress(context),
    device: deviceOf(context, shop),
  };
  return checkPassword(shop, 'staff', credentials, await findPersonByEmail(shop.db, email));
}

/** How long somebody who has typed the password has for the code, in ms. */
const STEP_LIFE = 10 * 60 * 1_000;

/** Notes that somebody has typed the right password, and returns the token that comes back with the code. */
export async function beginStep(
  transaction: Transaction,
  { ids, clock }: Pick<Shop, 'ids' | 'clock'>,
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
