import { useEffect } from 'react';
import { openEmailLink } from '#stores/account/email-link.ts';
import { resetPassword } from '#stores/account/reset-password.ts';
import { AccountForm, NewPasswordFields } from './AccountForm.tsx';

/** Chooses a new password by the link of an email, on any device. The page shows only the text if no link has led here. */
export function ResetPasswordForm() {
  useEffect(() => openEmailLink(), []);
  return (
    <>
      <p className="auth-form auth-no-link">To choose a new password, open the link in our email again.</p>
      <AccountForm
        form={resetPassword}
        fields={['password', 'confirmPassword']}
        words={{ submit: 'Change the password', working: 'Changing...' }}
      >
        {(field) => <NewPasswordFields label="New password" field={field} />}
      </AccountForm>
    </>
  );
}
