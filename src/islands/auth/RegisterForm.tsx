import { useStore } from '@nanostores/react';
import type { Registration } from '#domain/account.ts';
import { Field } from '#islands/ui/Field.tsx';
import { PasswordField } from '#islands/ui/PasswordField.tsx';
import {
  $register,
  createAccount,
  NEW_REGISTRATION,
  PROVIDER_ADVICE,
  prepareRegistration,
} from '#stores/register.ts';
import { AuthForm } from './AuthForm.tsx';
import { EmailField } from './EmailField.tsx';

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
  const { errors } = form;
  return (
    <AuthForm<Registration>
      fields={FIELDS}
      form={form}
      words={{ submit: 'Create account', working: 'Creating account...' }}
      prepare={prepareRegistration}
      submit={(texts) => void createAccount(texts)}
    >
      <div className="auth-pair">
        <Field
          id="firstName"
          name="firstName"
          label="First name"
          autoComplete="given-name"
          required
          error={errors.firstName}
        />
        <Field
          id="lastName"
          name="lastName"
          label="Last name"
          autoComplete="family-name"
          required
          error={errors.lastName}
        />
      </div>
      <EmailField hint={PROVIDER_ADVICE} error={errors.email} />
      <PasswordField
        id="password"
        name="password"
        label="Password"
        hint="At least 6 characters"
        autoComplete="new-password"
        required
        error={errors.password}
      />
      <PasswordField
        id="confirmPassword"
        name="confirmPassword"
        label="Confirm password"
        noun="confirm password"
        autoComplete="new-password"
        required
        error={errors.confirmPassword}
      />
    </AuthForm>
  );
}
