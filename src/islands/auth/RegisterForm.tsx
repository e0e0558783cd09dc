import { useStore } from '@nanostores/react';
import { type Registration, validateRegistration } from '#domain/account.ts';
import { Field } from '#islands/ui/Field.tsx';
import {
  $register,
  createAccount,
  NEW_REGISTRATION,
  PROVIDER_ADVICE,
  prepareRegistration,
} from '#stores/account/register.ts';
import { AuthForm } from './AuthForm.tsx';
import { EmailField } from './EmailField.tsx';
import { NewPasswordFields } from './NewPasswordFields.tsx';

const FIELDS = [
  'firstName',
  'lastName',
  'email',
  'password',
  'confirmPassword',
] as const satisfies (keyof Registration)[];

/** Spec 2 and 5, register. */
export function RegisterForm() {
  const form = useStore($register, { ssr: () => NEW_REGISTRATION });
  return (
    <AuthForm<Registration>
      fields={FIELDS}
      form={form}
      words={{ submit: 'Create account', working: 'Creating account...' }}
      validate={validateRegistration}
      prepare={prepareRegistration}
      submit={(texts) => void createAccount(texts)}
    >
      {(field) => (
        <>
          <div className="auth-pair">
            <Field {...field('firstName')} label="First name" autoComplete="given-name" />
            <Field {...field('lastName')} label="Last name" autoComplete="family-name" />
          </div>
          <EmailField {...field('email')} hint={PROVIDER_ADVICE} />
          <NewPasswordFields label="Password" field={field} />
        </>
      )}
    </AuthForm>
  );
}
