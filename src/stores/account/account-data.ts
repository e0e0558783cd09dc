import { atom, onMount } from 'nanostores';
import type { Failure } from '#api/failure.ts';
import { deleteToken, readToken } from '#api/token.ts';
import { clearNotice, notify } from '#stores/shell/toasts.ts';
import { clearLink, linkToken, openEmailLink } from './email-link.ts';
import { serverText } from './form.ts';
import { endsSession } from './private-page.ts';
import { clearPersonalData, guardPage, refreshSession } from './session.ts';

export interface AccountData {
  readonly status: 'loading' | 'choosing' | 'confirming' | 'deleted';
  readonly working?: 'file' | 'email' | 'deletion';
  readonly hasEmail?: boolean;
}

export const LOADING_DATA: AccountData = { status: 'loading' };

export const $accountData = atom<AccountData>(LOADING_DATA);

const FAILED = { title: 'Error', tone: 'error' } as const;

const TRY_AGAIN = 'That did not work. Please try again.';

/**
 * An emailed link opens the confirmation of the deletion on any device. Without one the customer must be signed in.
 */
onMount($accountData, () => {
  const close = openEmailLink(() => {
    $accountData.set({ status: 'choosing' });
    return guardPage();
  });
  if (linkToken()) $accountData.set({ status: 'confirming' });
  return close;
});

function endWork(): void {
  const { working: _, ...page } = $accountData.get();
  $accountData.set(page);
}

function fail(failure: Failure): void {
  endWork();
  if (endsSession(failure)) return;
  notify({ ...FAILED, text: serverText(failure) ?? TRY_AGAIN });
}

async function work(
  working: NonNullable<AccountData['working']>,
): Promise<typeof import('#api/users.ts') | undefined> {
  const page = $accountData.get();
  if (page.working) return undefined;
  $accountData.set({ ...page, working });
  clearNotice(FAILED);
  return import('#api/users.ts').catch(() => {
    fail({ kind: 'no-answer' });
    return undefined;
  });
}

function saveFile(name: string, content: unknown): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export async function downloadData(): Promise<void> {
  const result = await (await work('file'))?.fetchPersonalData();
  if (!result) return;
  if (!result.ok) return fail(result.failure);
  endWork();
  saveFile('everything-about-me.json', result.value);
}

export async function requestDeletion(): Promise<void> {
  const result = await (await work('email'))?.requestDeletion();
  if (!result) return;
  if (!result.ok) return fail(result.failure);
  $accountData.set({ status: 'choosing', hasEmail: true });
}

/** Deletes the account of the link. Also clears this device, unless another customer is signed in on it. */
export async function deleteAccount(): Promise<void> {
  const users = await work('deletion');
  if (!users) return;
  // The code is loaded first, so that a lost connection cannot leave data on the device after the deletion.
  const api = await import('#api/account.ts').catch(() => undefined);
  if (!api) return fail({ kind: 'no-answer' });
  const result = await users.confirmDeletion(linkToken());
  if (!result.ok) return fail(result.failure);
  clearLink();
  $accountData.set({ status: 'deleted' });
  if (readToken() !== undefined && (await api.fetchAccount()).ok) return;
  clearPersonalData();
  deleteToken();
  refreshSession();
}
