import { atom, onMount } from 'nanostores';
import { readToken, storeToken } from '#api/token.ts';
import type { SignedIn } from '#api/users.ts';
import type { Credentials, CustomerName, NewPassword } from '#domain/account.ts';
import { CONFIRM_WITH_PASSWORD } from '#domain/refusals.ts';
import { paths } from '#paths.ts';
import { notifyNextPage } from '#stores/shell/flash-notices.ts';
import { goTo } from '#stores/shell/navigation.ts';
import { inTime } from '#stores/shell/pause.ts';
import { clearLink, linkToken, openEmailLink } from './email-link.ts';
import { failureText } from './failure-text.ts';
import { createAccountForm, knownDevice, rememberDevice } from './form.ts';
import { endsSession, privatePage } from './private-page.ts';
import { setAccount } from './session.ts';

/** Both forms are on one page and a control's id is its name, so the password has a different name in each. */
type EmailChange = Pick<Credentials, 'email'> & { readonly currentPassword: string };
type PasswordChange = NewPassword & { readonly current: string };

function done(title: string, text?: string): void {
  notifyNextPage(text === undefined ? { title } : { title, text });
  goTo(paths.account);
}

export const changeName = createAccountForm<CustomerName, undefined>({
  send: (users, name) => users.changeName(name),
  done: () => done('Name changed'),
});

export const changeEmail = createAccountForm<EmailChange, undefined>({
  send: (users, { email, currentPassword }) => users.changeEmail(email, currentPassword, knownDevice()),
  done: () =>
    done('Emails sent', 'Your email address changes once you have opened the links in both emails.'),
});

export const changePassword = createAccountForm<PasswordChange, SignedIn>({
  send: (users, { current, password }) => users.changePassword(current, password, knownDevice()),
  done({ token, device }) {
    if (token !== undefined) storeToken(token);
    rememberDevice(device);
    done('Password changed', 'You are signed out on all other devices.');
  },
});

export const $currentName = atom<CustomerName | undefined>(undefined);

/** If the name cannot be loaded, its fields stay empty but usable, so no error is shown. */
const forms = privatePage({
  async load(signal) {
    $currentName.set(undefined);
    const api = await inTime(import('#api/account.ts')).catch(() => undefined);
    const result = await api?.fetchAccount({ signal });
    if (signal.aborted || !result) return;
    if (result.ok) {
      $currentName.set(result.value);
      setAccount(result.value);
      return;
    }
    endsSession(result.failure);
  },
  hide: () => $currentName.set(undefined),
});

export type Confirmation = 'none' | 'pending' | 'partial' | 'complete' | 'rejected';

/** 'partial' after one of the two addresses has confirmed the new email, 'complete' after both. */
export const $confirmation = atom<Confirmation>('none');

/** Whether the confirmation needs the password, because its account may not be the signed-in one. */
export const $asksPassword = atom(false);

/** An emailed link opens the confirmation on any device. Without one the customer must be signed in. */
onMount($confirmation, () => {
  const close = openEmailLink(forms.open);
  $asksPassword.set(readToken() === undefined);
  if (linkToken()) $confirmation.set('pending');
  return close;
});

function finishLink(confirmation: Confirmation): void {
  clearLink();
  $confirmation.set(confirmation);
}

export const confirmEmail = createAccountForm<{ currentPassword?: string }, { done: boolean }>({
  send: (users, { currentPassword }) => users.confirmEmail(linkToken(), currentPassword, knownDevice()),
  explain(failure) {
    const text = failureText(failure);
    if (text === CONFIRM_WITH_PASSWORD) $asksPassword.set(true);
    return text;
  },
  done: (answer) => finishLink(answer.done ? 'complete' : 'partial'),
});

export const rejectAccount = createAccountForm<Record<never, string>, undefined>({
  send: (users) => users.rejectAccount(linkToken()),
  done: () => finishLink('rejected'),
});
