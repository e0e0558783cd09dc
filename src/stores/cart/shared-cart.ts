import { atom } from 'nanostores';
import { MOST_PRODUCTS } from '#domain/cart.ts';
import { availableLines, outcomeOf, type RequestOutcome } from '#domain/requested-items.ts';
import { decodeItems, encodeItems } from '#domain/shared-cart.ts';
import { paths } from '#paths.ts';
import { copyText } from '#stores/shell/clipboard.ts';
import { clearAddress, queryParam } from '#stores/shell/navigation.ts';
import { $cart } from './cart.ts';
import { putInCart } from './cart-edits.ts';
import { fetchProductsToday } from './products-today.ts';

/** A cart from a shared link. It becomes the visitor's own only when they choose so. */
export type SharedCart =
  | { readonly status: 'loading' }
  | { readonly status: 'loaded'; readonly outcomes: readonly RequestOutcome[]; readonly dropped: number };

export const $sharedCart = atom<SharedCart>({ status: 'loading' });

/** Fetches the products that the link lists. Names and prices are always the catalogue's, never the link's. */
export async function openSharedCart(): Promise<void> {
  $sharedCart.set({ status: 'loading' });
  const { requested, dropped } = decodeItems(queryParam('items') ?? '');
  const answers = await fetchProductsToday(requested.map(({ id }) => id));
  const outcomes = requested.map((item) => outcomeOf(item, item.id, answers.get(item.id)));
  $sharedCart.set({ status: 'loaded', outcomes, dropped });
}

/** Does what the visitor chose, and removes the link's items from the address. */
export function answerSharedCart(choice: 'add' | 'replace' | 'leave'): void {
  const shared = $sharedCart.get();
  if (choice !== 'leave' && shared.status === 'loaded') putInCart(availableLines(shared.outcomes), choice);
  clearAddress();
}

export const linkToCart = (): string => `${location.origin}${paths.sharedCart(encodeItems($cart.get()))}`;

/** Whether the cart has more lines than a link may hold. */
export const exceedsLinkLimit = (): boolean => $cart.get().length > MOST_PRODUCTS;

const MESSAGE = 'Have a look at this cart:';

/** Opens WhatsApp with the link in a message. The visitor chooses the recipient there. */
export const whatsAppLink = (link: string): string =>
  `https://wa.me/?text=${encodeURIComponent(`${MESSAGE} ${link}`)}`;

export const canShare = (): boolean => typeof navigator.share === 'function';

/** Opens the device's share dialog. A visitor who closes it gets no error message. */
export async function shareLink(link: string): Promise<void> {
  await navigator.share({ title: MESSAGE, url: link }).catch(() => {});
}

export const copyLink = (link: string): Promise<void> =>
  copyText(link, 'The link to this cart is in your clipboard.');
