import { useStore } from '@nanostores/react';
import { AccountEmail } from '#islands/ui/PasswordField.tsx';
import { $linkEmail } from '#stores/account/email-link.ts';
import { resetPassword } from '#stores/account/reset-password.ts';
import { AccountForm, NewPasswordFields } from './AccountForm.tsx';

const LinkEmail = () => <AccountEmail email={useStore($linkEmail, { ssr: () => '' })} />;

/** Works with an emailed link on any device. Without a link the page shows only the text. */
export const ResetPasswordForm = () => (
  <>
    <p className="mt-5 in-data-no-link:block hidden">
      To choose a new password, open the link in our email again.
    </p>
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
  </>
);
