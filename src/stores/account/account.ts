import { atom, onMount } from 'nanostores';
import { endSession, fetchAccount } from '#api/account.ts';
import type { Failure } from '#api/failure.ts';
import { deleteToken, readToken } from '#api/token.ts';
import type { Account } from '#domain/account.ts';
import { paths } from '#paths.ts';
import { notifyNextPage } from '#stores/shell/flash-notices.ts';
import { goTo } from '#stores/shell/navigation.ts';
import { pause } from '#stores/shell/pause.ts';
import { clearNotice, notify } from '#stores/shell/toasts.ts';
import { endsSession, privatePage } from './private-page.ts';
import { $session, clearPersonalData, setAccount, setLeaving } from './session.ts';

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

/** Waits at most 1 s: the session has already ended on this device. */
const endAtServer = (token: string): Promise<unknown> =>
  Promise.race([endSession(token), pause(1_000)]).catch(() => {});

/** Signs out on this device and, if the API has the capability `logout`, at the server. Opens the home page. */
export async function signOut(): Promise<void> {
  clearPersonalData();
  setLeaving(true);
  let ended: Promise<unknown> = Promise.resolve();
  try {
    const token = readToken();
    deleteToken();
    if (__CAPABILITIES__.logout && token) ended = endAtServer(token);
  } catch {
    setLeaving(false);
    notify({ title: 'Error', text: 'Failed to log out properly.', tone: 'error' });
    return;
  }
  $session.set({ status: 'signed-out' });
  await ended;
  notifyNextPage({ title: 'Logged out', text: 'You have been logged out successfully.' });
  goTo(paths.home);
}
