import { MAX_PRODUCTS } from '#domain/cart.ts';
import { encodeItems } from '#domain/shared-cart.ts';
import { paths } from '#paths.ts';
import { $cart } from './cart.ts';

export const linkToCart = (): string => `${location.origin}${paths.sharedCart(encodeItems($cart.get()))}`;

export const exceedsLinkLimit = (): boolean => $cart.get().length > MAX_PRODUCTS;

const MESSAGE = 'Have a look at this cart:';

export const whatsAppLink = (link: string): string =>
  `https://wa.me/?text=${encodeURIComponent(`${MESSAGE} ${link}`)}`;

export const canShare = (): boolean => typeof navigator.share === 'function';

/** Opens the share dialog of the device. Closing it rejects the promise, which is not an error. */
export async function shareLink(link: string): Promise<void> {
  await navigator.share({ title: MESSAGE, url: link }).catch(() => {});
}
