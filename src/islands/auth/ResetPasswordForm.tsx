import { useEffect } from 'react';
import { openReset, resetPassword } from '#stores/account/reset-password.ts';
import { AccountForm } from './AccountForm.tsx';
import { NewPasswordFields } from './NewPasswordFields.tsx';

/** Chooses a new password by the link of a letter, on any device (faults 106). */
export function ResetPasswordForm() {
  useEffect(openReset, []);
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
