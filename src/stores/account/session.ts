import { atom, onMount } from 'nanostores';
import { tokenText } from '#api/token-cookie.ts';
import type { Account } from '#domain/account.ts';
import { paths } from '#paths.ts';
import { notifyNextPage } from '#stores/shell/carried-notices.ts';
import { currentPath, goTo, onReturn, rememberPath, replaceWith } from '#stores/shell/navigation.ts';
import { type Notice, notify } from '#stores/shell/toasts.ts';

/** A session restored from the cookie has no account until /accountInfo answered (resolutions 28). */
export type Session =
  | { readonly status: 'loading' }
  | { readonly status: 'signed-out' }
  | { readonly status: 'signed-in'; readonly account?: Account };

/** What pre-rendered pages show: nobody knows yet. */
export const LOADING_SESSION: Session = { status: 'loading' };

export const $session = atom<Session>(LOADING_SESSION);

/** The token that the session stands for. */
let known: string | undefined;

/** Reads the cookie anew; an account that is known stays while the cookie stays. */
export function refreshSession(): void {
  const { status } = $session.get();
  const before = known;
  known = tokenText();
  if (known === undefined) {
    if (status !== 'signed-out') $session.set({ status: 'signed-out' });
    return;
  }
  // Somebody else may have signed in in another tab: nothing that was loaded for the one before may stay (faults 44).
  if (status === 'signed-in' && known !== before) $session.set(LOADING_SESSION);
  if ($session.get().status !== 'signed-in') $session.set({ status: 'signed-in' });
}

/** Whether another session, or none, has taken the place of the one that was known. */
export function isReplaced(): boolean {
  const before = known;
  refreshSession();
  return known === undefined || known !== before;
}

/** Another tab may have signed out: looked at when this one is seen again (faults 36), or comes back by Back (44). */
onMount($session, () => {
  // At build, where islands are drawn once, nobody is signed in or out.
  if (typeof document === 'undefined') return;
  refreshSession();
  addEventListener('focus', refreshSession);
  addEventListener('pageshow', refreshSession);
  document.addEventListener('visibilitychange', refreshSession);
  return () => {
    removeEventListener('focus', refreshSession);
    removeEventListener('pageshow', refreshSession);
    document.removeEventListener('visibilitychange', refreshSession);
  };
});

export const knowAccount = (account: Account): void => $session.set({ status: 'signed-in', account });

let leaving = false;

/**
 * Keeps a page for those who are signed in: everybody else goes to /login and comes back after (spec 2, login guard).
 * Returns the way to stop watching.
 */
export function guardPage(notice?: Notice & { action?: never }): () => void {
  const guard = ({ status }: Session): void => {
    if (status !== 'signed-out' || leaving) return;
    leaving = true;
    rememberPath(currentPath());
    if (notice) notifyNextPage(notice);
    replaceWith(paths.login);
  };
  const stopWatching = $session.subscribe(guard);
  // Back after a sign-out: the page was left for good and is open again.
  const stopReturn = onReturn(() => {
    leaving = false;
    guard($session.get());
  });
  return () => {
    stopWatching();
    stopReturn();
  };
}

/** Signs out on this device and says so on the home page (spec 2, account; resolutions 30). */
export async function signOut(): Promise<void> {
  leaving = true;
  try {
    const { deleteToken } = await import('#api/token.ts');
    deleteToken();
  } catch {
    leaving = false;
    notify({ title: 'Error', text: 'Failed to log out properly.', tone: 'error' });
    return;
  }
  $session.set({ status: 'signed-out' });
  notifyNextPage({ title: 'Logged out', text: 'You have been logged out successfully.' });
  goTo(paths.home);
}
