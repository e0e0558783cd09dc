import type { Registration } from '#domain/account.ts';
import { paths } from '#paths.ts';
import { EMAIL_PROVIDERS } from '#site.ts';
import { notifyNextPage } from '#stores/shell/flash-notices.ts';
import { goTo } from '#stores/shell/navigation.ts';
import { clearNotice, notify } from '#stores/shell/toasts.ts';
import { isTooMany, serverText } from './failure-text.ts';
import { createAccountForm } from './form.ts';

const providers = EMAIL_PROVIDERS.join(' or ');

export const PROVIDER_ADVICE = `Use a common email provider, like ${providers}.`;

const ALERT = `Registration failed. Please try using a different email provider (like ${providers}).`;

const FAILED = { title: 'Registration Error', tone: 'error' } as const;

export const registration = createAccountForm<Registration, unknown>({
  send(users, form) {
    clearNotice(FAILED);
    return users.register(form);
  },
  explain(failure) {
    const text = serverText(failure) ?? 'Failed to register. Please try again.';
    notify({ ...FAILED, text });
    // After a 429 another email does not help.
    return isTooMany(failure) ? text : ALERT;
  },
  done() {
    notifyNextPage({
      title: 'Account created successfully. You can now log in.',
      action: { label: 'Sign in', href: paths.login },
    });
    goTo(paths.home);
  },
});
