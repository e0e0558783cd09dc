import { atom, onMount } from 'nanostores';
import { availableLines, outcomeOf, type RequestOutcome } from '#domain/requested-items.ts';
import { decodeItems } from '#domain/shared-cart.ts';
import { clearAddress, queryParam } from '#stores/shell/address.ts';
import { putInCart } from './cart-edits.ts';
import { fetchProductsToday } from './products-today.ts';
import { refreshTerms } from './terms.ts';

/** A cart from a shared link. It is not added to the visitor's cart without their consent. */
export type SharedCart =
  | { readonly status: 'loading' }
  | { readonly status: 'loaded'; readonly outcomes: readonly RequestOutcome[]; readonly dropped: number };

export const $sharedCart = atom<SharedCart>({ status: 'loading' });

/** Fetches the products of the link. Names and prices come from the catalogue, never from the link. */
export async function openSharedCart(): Promise<void> {
  $sharedCart.set({ status: 'loading' });
  const { requested, dropped } = decodeItems(queryParam('items') ?? '');
  const [answers] = await Promise.all([fetchProductsToday(requested.map(({ id }) => id)), refreshTerms()]);
  const now = Date.now();
  const outcomes = requested.map((item) => outcomeOf(item, item.id, answers.get(item.id), now));
  $sharedCart.set({ status: 'loaded', outcomes, dropped });
}

onMount($sharedCart, () => void openSharedCart());

export function applyChoice(choice: 'add' | 'replace' | 'leave'): void {
  const shared = $sharedCart.get();
  if (choice !== 'leave' && shared.status === 'loaded') putInCart(availableLines(shared.outcomes), choice);
  clearAddress();
}
