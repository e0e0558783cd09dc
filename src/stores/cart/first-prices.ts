import { ADDRESSES } from '#api/addresses.ts';
import { sendEarly } from '#api/early-requests.ts';
import { CART_KEY, REQUESTS_AT_ONCE } from '#domain/cart.ts';

/** The products of the stored cart, each once. `domain/cart.ts` reads it in full, which takes too much code here. */
function productIds(): string[] {
  try {
    const lines: unknown = JSON.parse(localStorage.getItem(CART_KEY) ?? '[]');
    const ids = Array.isArray(lines) ? lines.map((line) => line?.id) : [];
    return [...new Set(ids.filter((id) => typeof id === 'string' && id !== ''))];
  } catch {
    return [];
  }
}

/** Asks for today's prices of the products that are asked for first (products-today.ts). */
export const sendFirstPrices = (): void =>
  sendEarly(productIds().slice(0, REQUESTS_AT_ONCE).map(ADDRESSES.product));
