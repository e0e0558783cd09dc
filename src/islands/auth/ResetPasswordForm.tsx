import { useEffect, useState } from 'react';
import { Island } from '#islands/ui/Island.tsx';
import { linkToken, openLetterLink } from '#stores/account/letter-link.ts';
import { resetPassword } from '#stores/account/reset-password.ts';
import { AccountForm, NewPasswordFields } from './AccountForm.tsx';

/** Chooses a new password by the link of a letter, on any device. */
export function ResetPasswordForm() {
  const [hasLink, setHasLink] = useState(true);
  useEffect(() => {
    const close = openLetterLink();
    setHasLink(linkToken() !== '');
    return close;
  }, []);
  if (!hasLink)
    return (
      <Island>
        <p className="auth-form" role="status">
          To choose a new password, open the link in our email again.
        </p>
      </Island>
    );
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
