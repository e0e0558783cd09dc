import './auth.css';
import { useEffect, useRef } from 'react';
import type { Credentials } from '#domain/account.ts';
import { Button } from '#islands/ui/Button.tsx';
import { ErrorSummary } from '#islands/ui/ErrorSummary.tsx';
import { Field } from '#islands/ui/Field.tsx';
import { PasswordField } from '#islands/ui/PasswordField.tsx';
import { useForm } from '#islands/ui/use-form.ts';
import { useStore } from '#islands/ui/use-store.ts';
import { paths } from '#paths.ts';
import { $login, logIn, NEW_LOGIN, prepareLogin, rememberedEmail } from '#stores/login.ts';
import { summaryOf } from './summary.ts';

const FIELDS = ['email', 'password'] as const satisfies (keyof Credentials)[];

/** Spec 2 and 5, login. */
export function LoginForm() {
  const { status, errors, failure, attempt } = useStore($login, { ssr: () => NEW_LOGIN });
  const email = useRef<HTMLInputElement>(null);
  const remember = useRef<HTMLInputElement>(null);
  const { ready, formProps } = useForm(FIELDS, (texts, form) => {
    void logIn(texts, form.has('rememberMe'));
  });
  useEffect(() => {
    const known = rememberedEmail();
    if (known === '' || !email.current || !remember.current || email.current.value !== '') return;
    email.current.value = known;
    remember.current.checked = true;
  }, []);
  const working = status === 'working';

  return (
    <form className="auth-form" aria-labelledby="auth-title" onFocus={prepareLogin} {...formProps}>
      {(failure || Object.keys(errors).length > 0) && (
        <ErrorSummary {...summaryOf(FIELDS, errors, failure)} attempt={attempt} />
      )}
      <Field
        ref={email}
        id="email"
        name="email"
        label="Email"
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
        autoComplete="current-password"
        required
        error={errors.password}
      />
      <div className="auth-row">
        <label className="check">
          <input type="checkbox" name="rememberMe" ref={remember} />
          Remember me
        </label>
        <a className="auth-link" href={paths.forgotPassword}>
          Forgot password?
        </a>
      </div>
      <Button type="submit" size="large" busy={working} waiting={!ready}>
        {working ? 'Signing in...' : 'Sign in'}
      </Button>
    </form>
  );
}
