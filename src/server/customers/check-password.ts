import { withLimits } from '#server/services/limits.ts';
import type { Services } from '#server/services/services.ts';
import { isKnownDevice } from './known-devices.ts';

interface Credentials {
  readonly email: string;
  readonly password: string;
  /** The network address of the request. */
  readonly address: string;
  /** The token that the device sent. */
  readonly device: string | undefined;
}

/** A customer or a staff member. */
interface Account {
  readonly id: string;
  /** null before a password was chosen */
  readonly passwordHash: string | null;
}

/**
 * Returns the account if the password is right, else undefined. Takes the same time if no account has the email.
 * Wrong passwords are limited per account and per network address. A known device has a limit of its own, so that
 * strangers cannot lock it out. Successful sign-ins are limited as well, because each costs a hash.
 * @throws Refusal 429, 503
 */
export async function checkPassword<A extends Account>(
  { db, limiters, staffLimiters, passwords }: Services,
  kind: 'customers' | 'staff',
  { email, password, address, device }: Credentials,
  account: A | undefined,
): Promise<A | undefined> {
  const isKnown = device !== undefined && (await isKnownDevice(db, account?.id ?? '', device));
  const { signIn, signInDevice, signInAddress, signInAddressDay, signIns } =
    kind === 'staff' ? staffLimiters : limiters;
  const guesses = isKnown
    ? [signInDevice(`${email} ${device}`)]
    : [signInAddress(address), signInAddressDay(address), signIn(email)];
  const check = async (): Promise<A | undefined> => {
    const stored = account?.passwordHash ?? undefined;
    return (await passwords[kind].matches(stored, password, { address, email })) ? account : undefined;
  };
  const countSuccesses = () =>
    withLimits([signIns(email)], check, (outcome) => 'value' in outcome && outcome.value !== undefined);
  return withLimits(guesses, countSuccesses, (outcome) => 'value' in outcome && outcome.value === undefined);
}
