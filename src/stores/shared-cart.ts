import { atom } from 'nanostores';
import { decodeItems, encodeItems, SHARED_LIMIT } from '#domain/shared-cart.ts';
import { linesOf, type Offer, offerOf } from '#domain/wanted.ts';
import { paths } from '#paths.ts';
import { $cart } from './cart.ts';
import { takeLines } from './cart-edits.ts';
import { copyText } from './clipboard.ts';
import { asked, forgetAsked } from './navigation.ts';
import { askAll } from './products-today.ts';

/** A cart that came by a link, and is not the visitor's until they say so. */
export type SharedCart =
  | { readonly status: 'looking' }
  | { readonly status: 'found'; readonly offers: readonly Offer[]; readonly dropped: number };

export const $sharedCart = atom<SharedCart>({ status: 'looking' });

/** Looks up what the link names; prices and names are today's, whatever else the link says. */
export async function openSharedCart(): Promise<void> {
  $sharedCart.set({ status: 'looking' });
  const { wanted, dropped } = decodeItems(asked('items') ?? '');
  const answers = await askAll(wanted.map(({ id }) => id));
  const offers = wanted.map((each) => offerOf(each, each.id, answers.get(each.id)));
  $sharedCart.set({ status: 'found', offers, dropped });
}

/** The answer to what the link asks; the cart stays as it is where there is none. */
export function answerShared(how: 'add' | 'replace' | 'leave'): void {
  const shared = $sharedCart.get();
  if (how !== 'leave' && shared.status === 'found') takeLines(linesOf(shared.offers), how);
  forgetAsked();
}

/** A link to a copy of this cart, for whoever it is sent to. */
export const linkToCart = (): string => `${location.origin}${paths.sharedCart(encodeItems($cart.get()))}`;

export const isCutInLink = (): boolean => $cart.get().length > SHARED_LIMIT;

const MESSAGE = 'Have a look at this cart:';

/** WhatsApp with the link in a message; whom it goes to is chosen there. */
export const whatsAppLink = (link: string): string =>
  `https://wa.me/?text=${encodeURIComponent(`${MESSAGE} ${link}`)}`;

export const canShare = (): boolean => typeof navigator.share === 'function';

/** The device's own way to send something. That it was closed again needs no word. */
export async function shareLink(link: string): Promise<void> {
  await navigator.share({ title: MESSAGE, url: link }).catch(() => {});
}

export const copyLink = (link: string): Promise<void> =>
  copyText(link, 'The link to this cart is in your clipboard.');
