import { useStore } from '@nanostores/react';
import { focusAtOnce } from '#islands/ui/hooks.ts';
import { paths } from '#paths.ts';
import { NEW_FORM } from '#stores/account/form.ts';
import { forgotPassword } from '#stores/account/reset-password.ts';
import { AccountForm, EmailField } from './AccountForm.tsx';

/** The same text for every email, so that it does not reveal whether the account exists. */
const Sent = () => (
  <>
    <p className="mt-5" role="status" tabIndex={-1} ref={focusAtOnce}>
      If this address has an account, an email with a link is on its way. The link works once, for 30 minutes.
    </p>
    <a className="inline-flex min-h-11 items-center font-semibold" href={paths.forgotPassword}>
      No email? Ask again
    </a>
  </>
);

export function ForgotPasswordForm() {
  const { status } = useStore(forgotPassword.state, { ssr: () => NEW_FORM });
  if (status === 'done') return <Sent />;
  return (
    <AccountForm
      form={forgotPassword}
      fields={['email']}
      labels={{ submit: 'Send me a link', working: 'Sending...' }}
    >
      {(field) => <EmailField {...field('email')} hint="We send a link to choose a new password." />}
    </AccountForm>
  );
}
