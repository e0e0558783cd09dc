import { atom } from 'nanostores';
import { isPin, statesOfPin } from '#domain/pin-code.ts';
import {
  decodeAddress,
  EMPTY_ADDRESS,
  isPasted,
  normaliseField,
  type ShippingAddress,
} from '#domain/shipping-address.ts';
import { readStored, tabStorage } from '#stores/shell/storage.ts';
import { DRAFT_KEY, SIGNED_OUT_KEY } from './clear-drafts.ts';

function wasSignedOutSince(typedAt: unknown): boolean {
  const signedOutAt = Number(readStored(SIGNED_OUT_KEY) ?? Number.NaN);
  // A time in the future is ignored: the clock was set back. The same millisecond counts as before the sign-out.
  return signedOutAt <= Date.now() && signedOutAt >= (typeof typedAt === 'number' ? typedAt : 0);
}

export function readDraft(): ShippingAddress {
  try {
    const stored = JSON.parse(tabStorage.read(DRAFT_KEY) ?? 'null');
    const address = decodeAddress(stored);
    return address && !wasSignedOutSince(stored.typedAt) ? address : EMPTY_ADDRESS;
  } catch {
    return EMPTY_ADDRESS;
  }
}

const storeDraft = (address: ShippingAddress): void =>
  tabStorage.write(DRAFT_KEY, JSON.stringify({ ...address, typedAt: Date.now() }));

/** The address in the form. */
export const $address = atom<ShippingAddress>(EMPTY_ADDRESS);

export function chooseAddress(address: ShippingAddress): void {
  $address.set(address);
  storeDraft(address);
}

/** Takes the shopper's input. A text that was pasted or filled in by the browser is normalized at once. */
export function changeAddress(field: keyof ShippingAddress, text: string): void {
  const address = $address.get();
  chooseAddress({ ...address, [field]: isPasted(text, address[field]) ? normaliseField(field, text) : text });
}

/** Normalizes a field when the shopper leaves it. */
export function normaliseAddress(field: keyof ShippingAddress): void {
  const address = $address.get();
  const text = normaliseField(field, address[field]);
  if (text !== address[field]) chooseAddress({ ...address, [field]: text });
}

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
