import type { ShippingAddress } from '#domain/order.ts';
import { decodeAddress, EMPTY_ADDRESS } from '#domain/shipping-address.ts';
import { tabStorage } from './storage.ts';

/** The address as it is being typed: kept for this tab, so that it survives a reload and a sign-in (faults 35). */
const KEY = 'checkout-address';

export function readDraft(): ShippingAddress {
  try {
    return decodeAddress(JSON.parse(tabStorage.read(KEY) ?? 'null')) ?? EMPTY_ADDRESS;
  } catch {
    return EMPTY_ADDRESS;
  }
}

export const keepDraft = (address: ShippingAddress): void => tabStorage.write(KEY, JSON.stringify(address));

export const forgetDraft = (): void => void tabStorage.take(KEY);
