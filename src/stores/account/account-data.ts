import { atom, onMount } from 'nanostores';
import type { Result } from '#api/failure.ts';
import { deleteToken, readToken } from '#api/token.ts';
import { inTime } from '#stores/shell/pause.ts';
import { clearNotice, notify } from '#stores/shell/toasts.ts';
import { clearLink, linkToken, openEmailLink } from './email-link.ts';
import { serverText } from './failure-text.ts';
import { createAccountForm, knownDevice } from './form.ts';
import { endsSession } from './private-page.ts';
import { clearPersonalData, guardPage, refreshSession, setAccount } from './session.ts';

export interface AccountData {
  readonly status: 'loading' | 'choosing' | 'confirming' | 'deleted';
  readonly working?: 'file' | 'deletion';
  readonly hasEmail?: boolean;
}

export const LOADING_DATA: AccountData = { status: 'loading' };

export const $accountData = atom<AccountData>(LOADING_DATA);

const FAILED = { title: 'Error', tone: 'error' } as const;

const NO_ANSWER = { ok: false, failure: { kind: 'no-answer' } } as const;

const TRY_AGAIN = 'That did not work. Please try again.';

/** Loads the account, which the form names. */
async function loadAccount(): Promise<void> {
  if (readToken() === undefined) return;
  const result = await (await import('#api/account.ts')).fetchAccount();
  if (result.ok) setAccount(result.value);
}

/**
 * An emailed link opens the confirmation of the deletion on any device. Without one the customer must be signed in.
 */
onMount($accountData, () => {
  const close = openEmailLink(() => {
    $accountData.set({ status: 'choosing' });
    void loadAccount().catch(() => {});
    return guardPage();
  });
  if (linkToken()) $accountData.set({ status: 'confirming' });
  return close;
});

type Users = typeof import('#api/users.ts');

/** Runs one request at a time. Returns its result, or undefined after it has shown why it failed. */
async function work<Value>(
  working: NonNullable<AccountData['working']>,
  request: (users: Users) => Promise<Result<Value>>,
): Promise<{ readonly value: Value } | undefined> {
  const page = $accountData.get();
  if (page.working) return undefined;
  $accountData.set({ ...page, working });
  clearNotice(FAILED);
  const result = await inTime(import('#api/users.ts'))
    .then(request)
    .catch(() => NO_ANSWER);
  $accountData.set(page);
  if (result.ok) return result;
  if (!endsSession(result.failure)) notify({ ...FAILED, text: serverText(result.failure) ?? TRY_AGAIN });
  return undefined;
}

function saveFile(name: string, content: unknown): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export async function downloadData(): Promise<void> {
  const data = await work('file', (users) => users.fetchPersonalData());
  if (data) saveFile('everything-about-me.json', data.value);
}

export const requestDeletion = createAccountForm<{ currentPassword: string }, undefined>({
  send: (users, { currentPassword }) => users.requestDeletion(currentPassword, knownDevice()),
  done: () => $accountData.set({ status: 'choosing', hasEmail: true }),
});

/** Deletes the account of the link. Also clears this device, unless another customer is signed in on it. */
export async function deleteAccount(): Promise<void> {
  let account: typeof import('#api/account.ts') | undefined;
  const deleted = await work('deletion', async (users) => {
    // Loaded first, so that a lost connection cannot leave data on the device after the deletion.
    account = await inTime(import('#api/account.ts'));
    return users.confirmDeletion(linkToken());
  });
  if (!deleted) return;
  clearLink();
  $accountData.set({ status: 'deleted' });
  if (readToken() !== undefined && (await account?.fetchAccount())?.ok) return;
  clearPersonalData();
  deleteToken();
  refreshSession();
}
