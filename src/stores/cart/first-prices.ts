import { ADDRESSES } from '#api/addresses.ts';
import { sendEarly } from '#api/early-requests.ts';
import { CART_KEY, REQUESTS_AT_ONCE } from '#domain/cart.ts';

/** Reads only the ids of the stored cart: `domain/cart.ts`, which reads all of it, is too large for the head. */
function productIds(): string[] {
  try {
    const lines: unknown = JSON.parse(localStorage.getItem(CART_KEY) ?? '[]');
    const ids = Array.isArray(lines) ? lines.map((line) => line?.id) : [];
    return [...new Set(ids.filter((id) => typeof id === 'string' && id !== ''))];
  } catch {
    return [];
  }
}

export const sendFirstPrices = (): void =>
  sendEarly(productIds().slice(0, REQUESTS_AT_ONCE).map(ADDRESSES.product));
