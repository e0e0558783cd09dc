import { decodeAddress, EMPTY_ADDRESS, type ShippingAddress } from '#domain/shipping-address.ts';
import { readStored, tabStorage, writeStored } from '#stores/shell/storage.ts';

/** The address as it is typed. It is stored for this tab, so that it survives a reload and a sign-in. */
const DRAFT_KEY = 'checkout-address';
/** The time of the last sign-out, in ms since 1970. Drafts from before it, in any tab, are discarded. */
const SIGNED_OUT_KEY = 'signed-out';

export const forgetDraft = (): void => void tabStorage.take(DRAFT_KEY);

/** Discards the drafts of all tabs. A page without a form does not load the code of addresses for it. */
export function forgetDrafts(): void {
  forgetDraft();
  writeStored(SIGNED_OUT_KEY, String(Date.now()));
}

function wasSignedOutSince(typedAt: unknown): boolean {
  const signedOutAt = Number(readStored(SIGNED_OUT_KEY) ?? Number.NaN);
  // A time in the future is ignored: the clock was set back. The same millisecond counts as before the sign-out.
  return signedOutAt <= Date.now() && signedOutAt >= (typeof typedAt === 'number' ? typedAt : 0);
}

export function readDraft(): ShippingAddress {
  try {
    const kept = JSON.parse(tabStorage.read(DRAFT_KEY) ?? 'null');
    const address = decodeAddress(kept);
    return address && !wasSignedOutSince(kept.typedAt) ? address : EMPTY_ADDRESS;
  } catch {
    return EMPTY_ADDRESS;
  }
}

export const keepDraft = (address: ShippingAddress): void =>
  tabStorage.write(DRAFT_KEY, JSON.stringify({ ...address, typedAt: Date.now() }));
