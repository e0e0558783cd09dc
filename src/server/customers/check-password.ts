import type { Caller } from '#server/http/caller.ts';
import { isWrong } from '#server/limits/counts.ts';
import type { Services } from '#server/services/services.ts';
import { isKnownDevice } from './known-devices.ts';

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
  const check = async (): Promise<A | undefined> => {
    const requester = isKnown
      ? { lane: knownLane, payers: { ...caller, account: email } }
      : { lane, payers: caller };
    const isRight = await passwords.matches(account?.passwordHash ?? undefined, password, requester);
    // Only who knows the password uses up the account's sign-ins.
    return isRight ? spend(['signIn'], { ...caller, account: email }, () => account) : undefined;
  };
  return isKnown
    ? spend(['devicePassword'], { ...caller, target: `${email} ${device}` }, check, isWrong)
    : spend(['password', 'passwordDay'], { ...caller, target: email }, check, isWrong);
}
