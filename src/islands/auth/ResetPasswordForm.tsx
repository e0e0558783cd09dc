import { useStore } from '@nanostores/react';
import { AccountEmail } from '#islands/ui/PasswordField.tsx';
import { $linkEmail } from '#stores/account/email-link.ts';
import { resetPassword } from '#stores/account/reset-password.ts';
import { AccountForm, NewPasswordFields } from './AccountForm.tsx';

const LinkEmail = () => <AccountEmail email={useStore($linkEmail, { ssr: () => '' })} />;

/** Works with an emailed link on any device. Hidden without a link. */
export const ResetPasswordForm = () => (
  <AccountForm
    className="flow-root in-data-no-link:hidden"
    form={resetPassword}
    fields={['password', 'confirmPassword']}
    labels={{ submit: 'Change the password', working: 'Changing...' }}
  >
    {(field) => (
      <>
        <LinkEmail />
        <NewPasswordFields label="New password" field={field} />
      </>
    )}
  </AccountForm>
);
