import { atom, onMount } from 'nanostores';
import { fetchAccount } from '#api/account.ts';
import type { Failure } from '#api/failure.ts';
import type { Account } from '#domain/account.ts';
import { clearNotice, notify } from '#stores/shell/toasts.ts';
import { endsSession, privatePage } from './private-page.ts';
import { clearPersonalData, setAccount, signOut } from './session.ts';

export type AccountPage =
  | { readonly status: 'loading' }
  | { readonly status: 'loaded'; readonly account: Account }
  | { readonly status: 'failed'; readonly text: string };

export const LOADING_ACCOUNT: AccountPage = { status: 'loading' };

export const $account = atom<AccountPage>(LOADING_ACCOUNT);

function accountFailureText(failure: Failure): string {
  const text = 'Failed to load account information';
  if (failure.kind === 'refused') return `${text} (Status: ${failure.status})`;
  return failure.kind === 'no-answer'
    ? `${text} (No response received)`
    : `${text}: The answer could not be read`;
}

function fail(failure: Failure): void {
  if (endsSession(failure)) return;
  const text = accountFailureText(failure);
  $account.set({ status: 'failed', text });
  notify({ title: 'Error', text, tone: 'error' });
}

const page = privatePage({
  async load(signal) {
    $account.set(LOADING_ACCOUNT);
    clearNotice({ title: 'Error' });
    const result = await fetchAccount({ signal });
    if (signal.aborted) return;
    if (!result.ok) return fail(result.failure);
    $account.set({ status: 'loaded', account: result.value });
    setAccount(result.value);
  },
  hide: () => $account.set(LOADING_ACCOUNT),
  hasFailed: () => $account.get().status === 'failed',
});

onMount($account, page.open);
export const loadAccount = page.reload;

export function signOutHere(): Promise<void> {
  clearPersonalData();
  return signOut();
}
