import type { Context } from 'hono';
import { NOT_YOUR_PASSWORD } from '#domain/refusals.ts';
import type { Caller } from '#server/http/caller.ts';
import { Refusal } from '#server/http/refusal.ts';
import { isWrong } from '#server/limits/counts.ts';
import type { Customer, Env, Services } from '#server/services/services.ts';
import { isKnownDevice } from './known-devices.ts';
import { findCredentials, type Credentials as StoredCredentials } from './stored-customers.ts';

interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly caller: Caller;
  /** The token that the device sent. */
  readonly device: string | undefined;
}

/** A customer or a staff member. */
interface Account {
  readonly id: string;
  /** null before a password was chosen */
  readonly passwordHash: string | null;
}

/** Strangers cannot keep out a device that the account knows: it has guesses and a lane of its own. */
const KINDS = {
  customers: { spend: 'spend', lane: 'hash', knownLane: 'hashOnKnownDevice' },
  staff: { spend: 'spendOfStaff', lane: 'staffHash', knownLane: 'staffHashOnKnownDevice' },
} as const;

/**
 * Returns the account if the password is right, else undefined. Takes the same time if no account has the email.
 * @throws Refusal 429, 503
 */
export async function checkPassword<A extends Account>(
  { db, limits, passwords }: Services,
  kind: keyof typeof KINDS,
  { email, password, caller, device }: Credentials,
  account: A | undefined,
): Promise<A | undefined> {
  const isKnown = device !== undefined && (await isKnownDevice(db, account?.id ?? '', device));
  const { lane, knownLane, spend: name } = KINDS[kind];
  const spend = limits[name];
  const payers = {
    ...caller,
    target: email,
    ...(isKnown && { account: email, target: `${email} ${device}` }),
  };
  const check = async (): Promise<A | undefined> => {
    const requester = { lane: isKnown ? knownLane : lane, payers };
    const isRight = await passwords.matches(account?.passwordHash ?? undefined, password, requester);
    // Only who knows the password uses up the account's sign-ins.
    return isRight ? spend(['signIn'], { ...caller, account: email }, () => account) : undefined;
  };
  return spend(isKnown ? ['devicePassword'] : ['password', 'passwordDay'], payers, check, isWrong);
}

/** Verifies the password that the account has now. @throws Refusal 422, 429, 503 */
export async function requirePassword(
  context: Context<Env>,
  services: Services,
  { email }: Pick<Customer, 'email'>,
  password: string,
  device: string | undefined,
): Promise<StoredCredentials> {
  const credentials = { email, password, device, caller: services.callerOf(context) };
  const found = await findCredentials(services.db, email);
  const customer = await checkPassword(services, 'customers', credentials, found);
  if (!customer) throw new Refusal(422, NOT_YOUR_PASSWORD);
  return customer;
}
