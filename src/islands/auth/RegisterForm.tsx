import './auth.css';
import type { Registration } from '#domain/account.ts';
import { Button } from '#islands/ui/Button.tsx';
import { ErrorSummary } from '#islands/ui/ErrorSummary.tsx';
import { Field } from '#islands/ui/Field.tsx';
import { PasswordField } from '#islands/ui/PasswordField.tsx';
import { useForm } from '#islands/ui/use-form.ts';
import { useStore } from '#islands/ui/use-store.ts';
import {
  $register,
  createAccount,
  NEW_REGISTRATION,
  PROVIDER_ADVICE,
  prepareRegistration,
} from '#stores/register.ts';
import { summaryOf } from './summary.ts';

const FIELDS = [
  'firstName',
  'lastName',
  'email',
  'password',
  'confirmPassword',
] as const satisfies (keyof Registration)[];

/** Spec 2 and 5, register. */
export function RegisterForm() {
  const { status, errors, failure, attempt } = useStore($register, { ssr: () => NEW_REGISTRATION });
  const { ready, formProps } = useForm(FIELDS, (texts) => {
    void createAccount(texts);
  });
  const working = status === 'working';

  return (
    <form className="auth-form" aria-labelledby="auth-title" onFocus={prepareRegistration} {...formProps}>
      {(failure || Object.keys(errors).length > 0) && (
        <ErrorSummary {...summaryOf(FIELDS, errors, failure)} attempt={attempt} />
      )}
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
      <Field
        id="email"
        name="email"
        label="Email"
        hint={PROVIDER_ADVICE}
        type="email"
        autoComplete="email"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        required
        error={errors.email}
      />
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
      <Button type="submit" size="large" busy={working} waiting={!ready}>
        {working ? 'Creating account...' : 'Create account'}
      </Button>
    </form>
  );
}
