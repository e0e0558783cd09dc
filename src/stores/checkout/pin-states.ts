import { atom } from 'nanostores';
import { isPin, statesOfPin } from '#domain/pin-code.ts';

/** States that the PIN code may be in. */
export const $pinStates = atom<readonly string[]>([]);

/** Looks the PIN code up in the shop's table, which is loaded with the first complete PIN code. Never rejects. */
export async function findStates(postalCode: string): Promise<void> {
  if (!isPin(postalCode)) {
    $pinStates.set([]);
    return;
  }
  try {
    const { PIN_STATES } = await import('#domain/pin-states.ts');
    $pinStates.set(statesOfPin(postalCode, PIN_STATES));
  } catch {
    // The table could not be loaded, so the shopper types the state without help.
  }
}
