import { atom } from 'nanostores';
import { type Failure, isSignedOut } from '#api/failure.ts';
import type { Account } from '#domain/account.ts';
import { forgetDraft } from './checkout-draft.ts';
import { openPrivatePage } from './private-page.ts';
import { knowAccount, refreshSession, signOut } from './session.ts';
import { notify, withdraw } from './toasts.ts';

export type AccountPage =
  | { readonly status: 'loading' }
  | { readonly status: 'loaded'; readonly account: Account }
  | { readonly status: 'failed'; readonly text: string };

export const LOADING_ACCOUNT: AccountPage = { status: 'loading' };

export const $account = atom<AccountPage>(LOADING_ACCOUNT);

/** Spec 8, account load failure. */
function accountFailureText(failure: Failure): string {
  const text = 'Failed to load account information';
  if (failure.kind === 'refused') return `${text} (Status: ${failure.status})`;
  return failure.kind === 'no-answer'
    ? `${text} (No response received)`
    : `${text}: The answer could not be read`;
}

function fail(failure: Failure): void {
  if (isSignedOut(failure)) {
    // The page's guard takes over.
    refreshSession();
    return;
  }
  const text = accountFailureText(failure);
  $account.set({ status: 'failed', text });
  notify({ title: 'Error', text, tone: 'error' });
}

export async function loadAccount(): Promise<void> {
  $account.set(LOADING_ACCOUNT);
  withdraw({ title: 'Error' });
  try {
    const { fetchAccount } = await import('#api/users.ts');
    const result = await fetchAccount();
    if (!result.ok) return fail(result.failure);
    $account.set({ status: 'loaded', account: result.value });
    knowAccount(result.value);
  } catch {
    fail({ kind: 'no-answer' });
  }
}

/** Opens the page for whoever is signed in. Returns the way to close it. */
export const openAccount = (): (() => void) =>
  openPrivatePage({ load: () => void loadAccount(), hide: () => $account.set(LOADING_ACCOUNT) });

/** Signs out, and forgets the address that was typed in this tab. */
export function signOutHere(): Promise<void> {
  forgetDraft();
  return signOut();
}
