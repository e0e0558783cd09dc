import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import { type Credentials, validateCredentials } from '#domain/account.ts';
import { PasswordField } from '#islands/ui/PasswordField.tsx';
import { paths } from '#paths.ts';
import { $login, logIn, NEW_LOGIN, prepareLogin, rememberedEmail } from '#stores/account/login.ts';
import { AuthForm } from './AuthForm.tsx';
import { EmailField } from './EmailField.tsx';

const FIELDS = ['email', 'password'] as const satisfies (keyof Credentials)[];

/** Spec 2 and 5, login. */
export function LoginForm() {
  const form = useStore($login, { ssr: () => NEW_LOGIN });
  const email = useRef<HTMLInputElement>(null);
  const remember = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const remembered = rememberedEmail();
    if (remembered === '' || !email.current || !remember.current || email.current.value !== '') return;
    email.current.value = remembered;
    remember.current.checked = true;
  }, []);

  return (
    <AuthForm<Credentials>
      fields={FIELDS}
      form={form}
      words={{ submit: 'Sign in', working: 'Signing in...' }}
      validate={validateCredentials}
      prepare={prepareLogin}
      submit={(texts, formData) => void logIn(texts, formData.has('rememberMe'))}
    >
      {(field) => (
        <>
          <EmailField ref={email} {...field('email')} />
          <PasswordField {...field('password')} label="Password" autoComplete="current-password" />
          <div className="auth-row">
            <label className="check">
              <input type="checkbox" name="rememberMe" ref={remember} />
              Remember me
            </label>
            <a className="auth-link" href={paths.forgotPassword}>
              Forgot password?
            </a>
          </div>
        </>
      )}
    </AuthForm>
  );
}
