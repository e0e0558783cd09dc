import { atom, onMount } from 'nanostores';
import { readToken } from '#api/token.ts';
import type { Account } from '#domain/account.ts';
import { paths } from '#paths.ts';
import { currentPath, rememberPath } from '#stores/shell/address.ts';
import { onEvents, onReturn, stopAll } from '#stores/shell/events.ts';
import { notifyNextPage } from '#stores/shell/flash-notices.ts';
import { replaceWith } from '#stores/shell/navigation.ts';
import { removeStored, tabStorage, writeStored } from '#stores/shell/storage.ts';
import type { Notice } from '#stores/shell/toasts.ts';

/** A session restored from the cookie has no account until /accountInfo has answered. */
export type Session =
  | { readonly status: 'loading' }
  | { readonly status: 'signed-out' }
  | { readonly status: 'signed-in'; readonly account?: Account };

/** Pre-rendered pages cannot know whether the visitor is signed in. */
export const LOADING_SESSION: Session = { status: 'loading' };

export const $session = atom<Session>(LOADING_SESSION);

let knownToken: string | undefined;

/** Reads the cookie again. The account stays in the session while the cookie is the same. */
export function refreshSession(): void {
  const { status } = $session.get();
  const before = knownToken;
  knownToken = readToken();
  if (knownToken === undefined) {
    if (status !== 'signed-out') $session.set({ status: 'signed-out' });
    return;
  }
  // Another customer may have signed in in another tab: the previous customer's data must not stay.
  if (status === 'signed-in' && knownToken !== before) $session.set(LOADING_SESSION);
  if ($session.get().status !== 'signed-in') $session.set({ status: 'signed-in' });
}

/** Reads the cookie again. Returns whether the session has ended or another one has replaced it. */
export function isSessionReplaced(): boolean {
  const before = knownToken;
  refreshSession();
  return knownToken === undefined || knownToken !== before;
}

/** Another tab may have signed out, so the cookie is read when this page is shown again. */
onMount($session, () => {
  // Islands are also rendered at build, where there is no session.
  if (typeof document === 'undefined') return;
  refreshSession();
  return onEvents(['focus', 'pageshow', 'visibilitychange'], refreshSession);
});

export const setAccount = (account: Account): void => $session.set({ status: 'signed-in', account });

/** This page is navigating to another page, so the guard must not send the visitor to /login as well. */
let leaving = false;

export const setLeaving = (isLeaving: boolean): void => {
  leaving = isLeaving;
};

/**
 * Sends visitors who are not signed in to /login, which leads back to this page. Returns a function that ends the
 * guard.
 */
export function guardPage(notice?: Notice & { action?: never }): () => void {
  const guard = ({ status }: Session): void => {
    if (status !== 'signed-out' || leaving) return;
    leaving = true;
    rememberPath(currentPath());
    if (notice) notifyNextPage(notice);
    replaceWith(paths.login);
  };
  return stopAll(
    $session.subscribe(guard),
    // After a sign-out, Back can restore this page from the back/forward cache.
    onReturn(() => {
      leaving = false;
      guard($session.get());
    }),
  );
}

/** The typed address. Stored for this tab, so that it survives a reload and a sign-in. */
export const DRAFT_KEY = 'checkout-address';
/** The time of the last sign-out. Units: ms since 1970. Older drafts in any tab are discarded. */
export const SIGNED_OUT_KEY = 'signed-out';

export const clearDraft = (): void => void tabStorage.take(DRAFT_KEY);

/** The stored keys of the signed-in customer. A unit test compares them with the list of all stored keys. */
const PERSONAL_KEYS = [
  'addresses',
  'remembered-email',
  'order-to-pay',
  'shown-total',
  'pending-payment',
  'from',
  'place',
];

/** Also discards the drafts of all tabs. */
export function clearPersonalData(): void {
  clearDraft();
  writeStored(SIGNED_OUT_KEY, String(Date.now()));
  for (const key of PERSONAL_KEYS) removeStored(key);
}
