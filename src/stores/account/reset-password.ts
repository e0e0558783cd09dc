import { onMount } from 'nanostores';
import type { Device } from '#api/schema/account.ts';
import type { NewPassword } from '#domain/account.ts';
import { paths } from '#paths.ts';
import { notifyNextPage } from '#stores/shell/flash-notices.ts';
import { replaceWith } from '#stores/shell/navigation.ts';
import { linkToken, openEmailLink } from './email-link.ts';
import { createAccountForm, rememberDevice } from './form.ts';

/** Requests the email with the reset link. The response does not reveal whether the account exists. */
export const forgotPassword = createAccountForm<{ email: string }, undefined>({
  send: (users, { email }) => users.requestReset(email),
});

export const resetPassword = createAccountForm<NewPassword, Device>({
  send: (users, { password }) => users.resetPassword(linkToken(), password),
  done({ device }) {
    rememberDevice(device);
    notifyNextPage({ title: 'Password changed', text: 'Sign in with the new one.' });
    replaceWith(paths.login);
  },
});

onMount(resetPassword.state, () => openEmailLink());
