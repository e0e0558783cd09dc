import { useEffect } from 'react';
import { openLetterLink } from '#stores/account/letter-link.ts';
import { resetPassword } from '#stores/account/reset-password.ts';
import { AccountForm, NewPasswordFields } from './AccountForm.tsx';

/** Chooses a new password by the link of a letter, on any device. The page shows only the text if no link has led here. */
export function ResetPasswordForm() {
  useEffect(() => openLetterLink(), []);
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
