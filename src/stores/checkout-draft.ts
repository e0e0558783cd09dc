import type { ShippingAddress } from '#domain/order.ts';
import { EMPTY_ADDRESS, SHIPPING_FIELDS } from '#domain/shipping-address.ts';
import { tabStorage } from './storage.ts';

/** The address as it is being typed: kept for this tab, so that it survives a reload and a sign-in (faults 35). */
const KEY = 'checkout-address';

export function readDraft(): ShippingAddress {
  let stored: unknown;
  try {
    stored = JSON.parse(tabStorage.read(KEY) ?? 'null');
  } catch {
    return EMPTY_ADDRESS;
  }
  if (typeof stored !== 'object' || stored === null) return EMPTY_ADDRESS;
  const texts: Partial<Record<keyof ShippingAddress, unknown>> = stored;
  const draft: Record<keyof ShippingAddress, string> = { ...EMPTY_ADDRESS };
  for (const field of SHIPPING_FIELDS) {
    const text = texts[field];
    if (typeof text === 'string') draft[field] = text;
  }
  return draft;
}

export const keepDraft = (address: ShippingAddress): void => tabStorage.write(KEY, JSON.stringify(address));

export const forgetDraft = (): void => void tabStorage.take(KEY);
