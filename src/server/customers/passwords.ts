import { hash, verify } from '@node-rs/argon2';
import type { Context } from 'hono';
import { NOT_YOUR_PASSWORD } from '#domain/refusals.ts';
import { Refusal } from '#server/http/refusal.ts';
import { apart, isWrong, type Payers } from '#server/limits/counts.ts';
import type { HashLane } from '#server/limits/table.ts';
import type { Customer, Services } from '#server/services/services.ts';
import type { Settings } from '#server/settings/settings.ts';
import { isKnownDevice } from './known-devices.ts';
import { type Credentials, findCredentials } from './stored-customers.ts';

/** Hashes off the event loop. @throws Refusal 503 if the lane is full, or the payers have used up their part of it */
export const hashPassword = (
  { settings, limits }: Services,
  password: string,
  lane: HashLane,
  payers: Payers,
): Promise<string> => limits.lane(lane).run(payers, () => hash(password, settings.hashing.cost));

/** A hash that no password has. Verifying it takes as long, so that nobody learns whether an account exists. */
const noPassword = ({ memoryCost, timeCost }: Settings['hashing']['cost']): string =>
  `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/**
 * Returns the account if the password is right, else undefined. Takes the same time if no account has the email.
 * Strangers cannot lock out a known device, because it has its own guesses and its own lane.
 * @throws Refusal 429, 503
 */
export async function checkPassword<A extends { readonly id: string; readonly passwordHash: string | null }>(
  context: Context,
  { db, limits, settings, callerOf }: Services,
  kind: 'customers' | 'staff',
  { email, password, device }: { email: string; password: string; device?: string | undefined },
  account: A | undefined,
): Promise<A | undefined> {
  const isKnown = device !== undefined && (await isKnownDevice(db, account?.id ?? '', device));
  const lane = `${kind}Hash${isKnown ? 'OnKnownDevice' : ''}` as const;
  const own = { ...apart(kind, callerOf(context)), account: `${kind} ${email}` };
  const payers = isKnown
    ? { ...own, target: `${own.account} ${device}` }
    : { ...own, account: undefined, target: own.account };
  const check = async (): Promise<A | undefined> => {
    const stored = account?.passwordHash ?? noPassword(settings.hashing.cost);
    const isRight = await limits.lane(lane).run(payers, () => verify(stored, password));
    // Only successful attempts use up the account's sign-ins.
    return isRight ? limits.spend(['signIn'], own, () => account) : undefined;
  };
  return limits.spend(isKnown ? ['devicePassword'] : ['password', 'passwordDay'], payers, check, isWrong);
}

/** Verifies the account's current password. @throws Refusal 422, 429, 503 */
export async function requirePassword(
  context: Context,
  services: Services,
  { email }: Pick<Customer, 'email'>,
  password: string,
  device: string | undefined,
): Promise<Credentials> {
  const found = await findCredentials(services.db, email);
  const customer = await checkPassword(context, services, 'customers', { email, password, device }, found);
  if (!customer) throw new Refusal(422, NOT_YOUR_PASSWORD);
  return customer;
}
