import { atom, onMount } from 'nanostores';
import { type Fields, fieldsOf, parseJson } from '#domain/json.ts';
import { isPin } from '#domain/pin.ts';
import {
  ADDRESS_FIELD_NAMES,
  type AddressField,
  decodeAddress,
  EMPTY_ADDRESS,
  isPasted,
  normaliseField,
  type ShippingAddress,
} from '#domain/shipping-address.ts';
import { DRAFT_KEY, SIGNED_OUT_KEY } from '#stores/account/session.ts';
import { stopAll } from '#stores/shell/events.ts';
import { readStored, tabStorage } from '#stores/shell/storage.ts';
import type { StoredForm } from '#stores/shell/stored-form.ts';
import { $wantsAddressSaved } from './saved-addresses.ts';

/** Whether what this device stored at that time may be another customer's. */
export function wasSignedOutSince(typedAt: unknown): boolean {
  const signedOutAt = Number(readStored(SIGNED_OUT_KEY) ?? Number.NaN);
  // A sign-out in the future is ignored: the clock was set back. An equal time counts as typed before the sign-out.
  return signedOutAt <= Date.now() && signedOutAt >= (typeof typedAt === 'number' ? typedAt : 0);
}

export function readDraft(): ShippingAddress {
  const stored = parseJson(tabStorage.read(DRAFT_KEY));
  const address = decodeAddress(stored);
  const { typedAt }: Fields<'typedAt'> = fieldsOf(stored);
  return address && !wasSignedOutSince(typedAt) ? address : EMPTY_ADDRESS;
}

const storeDraft = (address: ShippingAddress): void =>
  tabStorage.write(DRAFT_KEY, JSON.stringify({ ...address, typedAt: Date.now() }));

export const $address = atom<ShippingAddress>(EMPTY_ADDRESS);

export function chooseAddress(address: ShippingAddress): void {
  $address.set(address);
  storeDraft(address);
}

/** Text that was pasted or autofilled is normalised at once, typed text when the field is left. */
export function changeAddress(field: AddressField, text: string): void {
  const address = $address.get();
  chooseAddress({ ...address, [field]: isPasted(text, address[field]) ? normaliseField(field, text) : text });
}

export function normaliseAddress(field: AddressField): void {
  const address = $address.get();
  const text = normaliseField(field, address[field]);
  if (text !== address[field]) chooseAddress({ ...address, [field]: text });
}

export const checkoutForm: StoredForm = {
  texts: () =>
    new Map([...Object.entries($address.get()), ['saveAddress', String($wantsAddressSaved.get())] as const]),
  change: (name, text) => {
    const field = ADDRESS_FIELD_NAMES.find((candidate) => candidate === name);
    if (field) changeAddress(field, text);
    else $wantsAddressSaved.set(text === 'true');
  },
  listen: (changed) => stopAll($address.listen(changed), $wantsAddressSaved.listen(changed)),
};

/** The states to suggest. */
export const $pinStates = atom<readonly string[]>([]);

/** The table is loaded with the first complete PIN code. Never rejects. */
async function findStates(): Promise<void> {
  if (!isPin($address.get().postalCode)) {
    $pinStates.set([]);
    return;
  }
  try {
    const { statesOfPin, suggestedStates } = await import('#domain/pin-states.ts');
    const { postalCode, state } = $address.get();
    $pinStates.set(suggestedStates(statesOfPin(postalCode), state));
  } catch {
    // Without the table the customer types the state.
  }
}

onMount($pinStates, () =>
  $address.subscribe(({ postalCode, state }, before) => {
    if (postalCode !== before?.postalCode || state !== before.state) void findStates();
  }),
);
