import { validateEmail } from '#domain/account.ts';
import { createAccountForm } from './form.ts';

/** Asks for a link to choose a new password. The answer does not tell whether anybody has the email. */
export const forgotPassword = createAccountForm<{ email: string }, undefined>({
  validate: validateEmail,
  send: (users, { email }) => users.askReset(email),
});
