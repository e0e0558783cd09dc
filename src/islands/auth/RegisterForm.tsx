import { Field } from '#islands/ui/Field.tsx';
import { PROVIDER_ADVICE, registration } from '#stores/account/register.ts';
import { AccountForm, EmailField, NewPasswordFields } from './AccountForm.tsx';

export function RegisterForm() {
  return (
    <AccountForm
      form={registration}
      fields={['firstName', 'lastName', 'email', 'password', 'confirmPassword']}
      labels={{ submit: 'Create account', working: 'Creating account...' }}
    >
      {(field) => (
        <>
          <div className="grid gap-4 sm:grid-cols-2">
            <Field {...field('firstName')} label="First name" autoComplete="given-name" />
            <Field {...field('lastName')} label="Last name" autoComplete="family-name" />
          </div>
          <EmailField {...field('email')} hint={PROVIDER_ADVICE} />
          <NewPasswordFields label="Password" field={field} />
        </>
      )}
    </AccountForm>
  );
}
