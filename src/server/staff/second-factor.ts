import { randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import * as v from 'valibot';
import type { Reader, Transaction } from '#server/db/database.ts';
import { MetaSchema, setMeta } from '#server/db/meta.ts';
import { tokenHash } from '#server/services/ids.ts';

/** In seconds. Every authenticator app knows this one. */
const PERIOD = 30;

/** So many codes before and after the present one are accepted: a phone's clock may be a minute off. */
const STEPS_OFF = 2;

const RECOVERY_CODES = 10;

/** Without signs that look alike. Sixteen of them are 80 bits, which nobody guesses, so a plain hash is enough. */
const SIGNS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

export const newSecret = (): string => new Secret({ size: 20 }).base32;

const totpOf = (secret: string, email: string): TOTP =>
  new TOTP({ issuer: 'Admin', label: email, secret: Secret.fromBase32(secret), period: PERIOD });

/** The address that an authenticator app reads from the QR code. */
export const setUpAddress = (secret: string, email: string): string => totpOf(secret, email).toString();

/** The number of the period whose code this is; undefined where it is none of those that are accepted. */
export function periodOf(secret: string, code: string, now: number): number | undefined {
  // The library compares bytes, and throws where letters beyond ASCII make more of them.
  if (!/^\d+$/.test(code)) return undefined;
  const delta = totpOf(secret, '').validate({ token: code, timestamp: now, window: STEPS_OFF });
  return delta === null ? undefined : Math.floor(now / 1_000 / PERIOD) + delta;
}

const newRecoveryCode = (): string =>
  Array.from({ length: 4 }, () =>
    Array.from({ length: 4 }, () => SIGNS[randomInt(SIGNS.length)]).join(''),
  ).join('-');

/** Emails may be typed small, and with spaces or without hyphens. */
const recoveryHash = (code: string): string => tokenHash(code.toUpperCase().replaceAll(/[^A-Z\d]/g, ''));

const FactorSchema = v.object({ secret: v.string(), lastPeriod: v.number() });

export const findFactor = (db: Reader, staffId: string) =>
  db.get(
    FactorSchema,
    'SELECT secret, last_period AS "lastPeriod" FROM staff_second_factors WHERE staff_id = ?',
    staffId,
  );

/** Replaces an earlier one. Returns the recovery codes, of which only hashes are stored. */
export async function switchOn(
  transaction: Transaction,
  staffId: string,
  secret: string,
  period: number,
): Promise<string[]> {
  await switchOff(transaction, staffId);
  await transaction.run(
    'INSERT INTO staff_second_factors (staff_id, secret, last_period) VALUES (?, ?, ?)',
    staffId,
    secret,
    period,
  );
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  for (const code of codes) {
    await transaction.run(
      'INSERT INTO staff_recovery_codes (staff_id, code_hash) VALUES (?, ?)',
      staffId,
      recoveryHash(code),
    );
  }
  return codes;
}

/** Returns whether it was on. */
export async function switchOff(transaction: Transaction, staffId: string): Promise<boolean> {
  await transaction.run('DELETE FROM staff_recovery_codes WHERE staff_id = ?', staffId);
  return (await transaction.run('DELETE FROM staff_second_factors WHERE staff_id = ?', staffId)) > 0;
}

/** Takes a code of the app or a recovery code, each once. Returns which it was; undefined where it is wrong. */
export async function takeCode(
  transaction: Transaction,
  staffId: string,
  typed: string,
  now: number,
): Promise<'app' | 'recovery' | undefined> {
  const factor = await findFactor(transaction, staffId);
  if (!factor) return undefined;
  const period = periodOf(factor.secret, typed.replaceAll(/\s/g, ''), now);
  if (period !== undefined) {
    const taken = await transaction.run(
      'UPDATE staff_second_factors SET last_period = ? WHERE staff_id = ? AND last_period < ?',
      period,
      staffId,
      period,
    );
    return taken > 0 ? 'app' : undefined;
  }
  const used = await transaction.run(
    'DELETE FROM staff_recovery_codes WHERE staff_id = ? AND code_hash = ?',
    staffId,
    recoveryHash(typed),
  );
  return used > 0 ? 'recovery' : undefined;
}

const CountSchema = v.object({ count: v.number() });

export const recoveryCodesLeft = async (db: Reader, staffId: string): Promise<number> =>
  (
    await db.get(
      CountSchema,
      'SELECT COUNT(*) AS count FROM staff_recovery_codes WHERE staff_id = ?',
      staffId,
    )
  )?.count ?? 0;

const REQUIRED = 'second_factor_required';

/** Whether everybody of the staff needs one. */
export const isRequired = async (db: Reader): Promise<boolean> =>
  (await db.get(MetaSchema, 'SELECT value FROM meta WHERE name = ?', REQUIRED))?.value === 'yes';

export const setRequired = (transaction: Transaction, required: boolean): Promise<number> =>
  setMeta(transaction, REQUIRED, required ? 'yes' : 'no');
