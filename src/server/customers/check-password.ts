import { type CountedKey, withLimits } from '#server/services/limits.ts';
import type { Services } from '#server/services/services.ts';
import { type AccountKind, isKnownDevice } from './known-devices.ts';

interface Credentials {
  readonly email: string;
  readonly password: string;
  /** Where the request came from. */
  readonly address: string;
  /** The token that the device sent. */
  readonly device: string | undefined;
}

/** Somebody who can have a password; null before one was chosen. */
interface Person {
  readonly id: string;
  readonly passwordHash: string | null;
}

/**
 * Returns the person whose password this is, or undefined, which takes the same time if nobody has the email.
 * Guesses are limited for each account, and for each address with all of its phones. A device on which this person has
 * signed in before has a limit of its own, so that nobody else can lock it out. Sign-ins that succeed are
 * limited as well, because each costs a hash.
 * @throws Refusal 429, 503
 */
export async function checkPassword<P extends Person>(
  { db, limiters, staffLimiters, passwords }: Services,
  of: AccountKind,
  { email, password, address, device }: Credentials,
  person: P | undefined,
): Promise<P | undefined> {
  const isKnown = device !== undefined && (await isKnownDevice(db, of, person?.id ?? '', device));
  const { signIn, signInDevice, signInAddress, signInAddressDay, signIns } =
    of === 'staff' ? staffLimiters : limiters;
  // A stranger invents emails without end. The list that these fill must not cost a person's place.
  const caller = person === undefined ? address : undefined;
  const guesses: readonly CountedKey[] = isKnown
    ? [[signInDevice, `${email} ${device}`]]
    : [
        [signInAddress, address],
        [signInAddressDay, address],
        [signIn, email, caller],
      ];
  const check = async (): Promise<P | undefined> => {
    const stored = person?.passwordHash ?? undefined;
    return (await passwords[of].matches(stored, password, { address, email })) ? person : undefined;
  };
  const countSuccesses = () =>
    withLimits(
      [[signIns, email, caller]],
      check,
      (outcome) => 'value' in outcome && outcome.value !== undefined,
    );
  return withLimits(guesses, countSuccesses, (outcome) => 'value' in outcome && outcome.value === undefined);
}
