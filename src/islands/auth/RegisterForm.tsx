import { PROVIDER_ADVICE, registration } from '#stores/account/register.ts';
import { AccountForm, EmailField, NameFields, NewPasswordFields } from './AccountForm.tsx';

export function RegisterForm() {
  return (
    <AccountForm
      form={registration}
      fields={['firstName', 'lastName', 'email', 'password', 'confirmPassword']}
      labels={{ submit: 'Create account', working: 'Creating account...' }}
    >
      {(field) => (
        <>
          <NameFields field={field} />
          <EmailField {...field('email')} hint={PROVIDER_ADVICE} />
          <NewPasswordFields label="Password" field={field} />
        </>
      )}
    </AccountForm>
  );
}
