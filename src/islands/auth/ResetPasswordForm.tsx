import { useEffect } from 'react';
import { openLetterLink } from '#stores/account/letter-link.ts';
import { resetPassword } from '#stores/account/reset-password.ts';
import { AccountForm } from './AccountForm.tsx';
import { NewPasswordFields } from './NewPasswordFields.tsx';

/** Chooses a new password by the link of a letter, on any device (faults 106). */
export function ResetPasswordForm() {
  useEffect(openLetterLink, []);
  return (
    <AccountForm
      form={resetPassword}
      fields={['password', 'confirmPassword']}
      words={{ submit: 'Change the password', working: 'Changing...' }}
    >
      {(field) => <NewPasswordFields label="New password" field={field} />}
    </AccountForm>
  );
}
