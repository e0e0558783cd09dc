import { atom } from 'nanostores';
import { availableLines, outcomeOf, type RequestOutcome } from '#domain/requested-items.ts';
import { decodeItems, encodeItems, SHARED_LIMIT } from '#domain/shared-cart.ts';
import { paths } from '#paths.ts';
import { copyText } from '#stores/shell/clipboard.ts';
import { asked, forgetAsked } from '#stores/shell/navigation.ts';
import { $cart } from './cart.ts';
import { takeLines } from './cart-edits.ts';
import { askForAll } from './products-today.ts';

/** A cart that came by a link, and is not the visitor's until they say so. */
export type SharedCart =
  | { readonly status: 'looking' }
  | { readonly status: 'found'; readonly outcomes: readonly RequestOutcome[]; readonly dropped: number };

export const $sharedCart = atom<SharedCart>({ status: 'looking' });

/** Looks up what the link names; prices and names are today's, whatever else the link says. */
export async function openSharedCart(): Promise<void> {
  $sharedCart.set({ status: 'looking' });
  const { requested, dropped } = decodeItems(asked('items') ?? '');
  const answers = await askForAll(requested.map(({ id }) => id));
  const outcomes = requested.map((each) => outcomeOf(each, each.id, answers.get(each.id)));
  $sharedCart.set({ status: 'found', outcomes, dropped });
}

/** The answer to what the link asks; the cart stays as it is where there is none. */
export function answerShared(how: 'add' | 'replace' | 'leave'): void {
  const shared = $sharedCart.get();
  if (how !== 'leave' && shared.status === 'found') takeLines(availableLines(shared.outcomes), how);
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
