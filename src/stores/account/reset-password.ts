import { type NewPassword, validateNewPassword } from '#domain/account.ts';
import { paths } from '#paths.ts';
import { notifyNextPage } from '#stores/shell/carried-notices.ts';
import { clearQuery, replaceWith } from '#stores/shell/navigation.ts';
import { createAccountForm } from './form.ts';

/** Of the link in the letter. It leaves the address at once, and is kept nowhere else. */
let linkToken = '';

/** Takes the token of the link out of the address. */
export function openReset(): void {
  if (location.hash === '') return;
  linkToken = location.hash.slice(1);
  clearQuery();
}

/** Stores the new password and leads to the sign-in. */
export const resetPassword = createAccountForm<NewPassword, undefined>({
  validate: validateNewPassword,
  send: (users, { password }) => users.resetPassword(linkToken, password),
  done() {
    notifyNextPage({ title: 'Password changed', text: 'Sign in with the new one.' });
    replaceWith(paths.login);
  },
});
