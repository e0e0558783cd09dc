import { Secret, TOTP } from 'otpauth';
import type { Reader, Transaction } from '#server/db/database.ts';
import { readMeta, setMeta } from '#server/db/meta.ts';
import { q } from '#server/db/query.ts';
import { tokenHash } from '#server/db/tokens.ts';

/** In seconds. All authenticator apps support this period. */
const PERIOD = 30;

/** Periods accepted before and after the current one, because a phone's clock may be a minute off. */
const ACCEPTED_PERIODS = 2;

const RECOVERY_CODES = 10;

export const newSecret = (): string => new Secret({ size: 20 }).base32;

const totpOf = (secret: string, email: string): TOTP =>
  new TOTP({ issuer: 'Admin', label: email, secret: Secret.fromBase32(secret), period: PERIOD });

/** The `otpauth:` address in the QR code. */
export const otpauthAddress = (secret: string, email: string): string => totpOf(secret, email).toString();

/** Returns the period of a code; undefined if it is wrong. @param now ms since 1970 */
export function periodOf(secret: string, code: string, now: number): number | undefined {
  // The library throws for non-ASCII letters, which have more bytes.
  if (!/^\d+$/.test(code)) return undefined;
  const delta = totpOf(secret, '').validate({ token: code, timestamp: now, window: ACCEPTED_PERIODS });
  return delta === null ? undefined : Math.floor(now / 1_000 / PERIOD) + delta;
}

/** In base32, which has no digits that look like letters. A code of 16 has 80 random bits, so a plain hash is enough. */
const newRecoveryCode = (): string => new Secret({ size: 10 }).base32.replaceAll(/.{4}(?=.)/g, '$&-');

/** Codes may be typed in lower case, with spaces or without hyphens. */
const recoveryHash = (code: string): string => tokenHash(code.toUpperCase().replaceAll(/[^A-Z\d]/g, ''));

const FACTOR = q.selectFrom('staffSecondFactors').select(['secret', 'lastPeriod']);

export const findFactor = (db: Reader, staffId: string) => db.row(FACTOR.where('staffId', '=', staffId));

/** Replaces an earlier factor. Returns the recovery codes; only their hashes are stored. */
export async function switchOn(
  transaction: Transaction,
  staffId: string,
  secret: string,
  period: number,
): Promise<string[]> {
  await switchOff(transaction, staffId);
  const factor = { staffId, secret, lastPeriod: period };
  await transaction.run(q.insertInto('staffSecondFactors').values(factor));
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  const rows = codes.map((code) => ({ staffId, codeHash: recoveryHash(code) }));
  await transaction.run(q.insertInto('staffRecoveryCodes').values(rows));
  return codes;
}

/** Returns false if it was off. */
export async function switchOff(transaction: Transaction, staffId: string): Promise<boolean> {
  await transaction.run(q.deleteFrom('staffRecoveryCodes').where('staffId', '=', staffId));
  return (await transaction.run(q.deleteFrom('staffSecondFactors').where('staffId', '=', staffId))) > 0;
}

/** Uses up a code of the app or a recovery code. Returns its kind; undefined if it is wrong or used. */
export async function consumeCode(
  transaction: Transaction,
  staffId: string,
  input: string,
  now: number,
): Promise<'app' | 'recovery' | undefined> {
  const factor = await findFactor(transaction, staffId);
  if (!factor) return undefined;
  const period = periodOf(factor.secret, input.replaceAll(/\s/g, ''), now);
  if (period !== undefined) {
    const update = q.updateTable('staffSecondFactors').set({ lastPeriod: period });
    const updated = await transaction.run(
      update.where('staffId', '=', staffId).where(({ eb, or }) =>
        // A period that no right code can have yet is from a clock that was wrong.
        or([eb('lastPeriod', '<', period), eb('lastPeriod', '>', period + 2 * ACCEPTED_PERIODS)]),
      ),
    );
    return updated > 0 ? 'app' : undefined;
  }
  const codes = q.deleteFrom('staffRecoveryCodes').where('staffId', '=', staffId);
  const used = await transaction.run(codes.where('codeHash', '=', recoveryHash(input)));
  return used > 0 ? 'recovery' : undefined;
}

const COUNT = q.selectFrom('staffRecoveryCodes').select(({ fn }) => fn.countAll<number>().as('count'));

export const recoveryCodesLeft = async (db: Reader, staffId: string): Promise<number> =>
  (await db.row(COUNT.where('staffId', '=', staffId)))?.count ?? 0;

const REQUIRED = 'second_factor_required';

/** Whether every staff member needs a second factor. */
export const isRequired = async (db: Reader): Promise<boolean> => (await readMeta(db, REQUIRED)) === 'yes';

export const setRequired = (transaction: Transaction, required: boolean): Promise<number> =>
  setMeta(transaction, REQUIRED, required ? 'yes' : 'no');
