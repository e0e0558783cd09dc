import { decodeAddress, EMPTY_ADDRESS, type ShippingAddress } from '#domain/shipping-address.ts';
import { readStored, tabStorage } from '#stores/shell/storage.ts';
import { DRAFT_KEY, SIGNED_OUT_KEY } from './forget-drafts.ts';

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
