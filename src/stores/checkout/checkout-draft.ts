import type { ShippingAddress } from '#domain/order.ts';
import { decodeAddress, EMPTY_ADDRESS } from '#domain/shipping-address.ts';
import { readStored, tabStorage, writeStored } from '#stores/shell/storage.ts';

/** The address as it is being typed: kept for this tab, so that it survives a reload and a sign-in (faults 35). */
const KEY = 'checkout-address';
/** When somebody signed out, ms since 1970: what was typed before, in whichever tab, is nobody's any more (faults 44). */
const SIGNED_OUT_KEY = 'signed-out';

function wasSignedOutSince(typedAt: unknown): boolean {
  const signedOutAt = Number(readStored(SIGNED_OUT_KEY) ?? Number.NaN);
  // A clock that was set back tells nothing. What was typed in the very millisecond counts as before.
  return signedOutAt <= Date.now() && signedOutAt >= (typeof typedAt === 'number' ? typedAt : 0);
}

export function readDraft(): ShippingAddress {
  try {
    const kept = JSON.parse(tabStorage.read(KEY) ?? 'null');
    const address = decodeAddress(kept);
    return address && !wasSignedOutSince(kept.typedAt) ? address : EMPTY_ADDRESS;
  } catch {
    return EMPTY_ADDRESS;
  }
}

export const keepDraft = (address: ShippingAddress): void =>
  tabStorage.write(KEY, JSON.stringify({ ...address, typedAt: Date.now() }));

export const forgetDraft = (): void => void tabStorage.take(KEY);

/** Of every tab. */
export function forgetDrafts(): void {
  forgetDraft();
  writeStored(SIGNED_OUT_KEY, String(Date.now()));
}
