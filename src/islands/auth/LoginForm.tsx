import { useEffect, useRef } from 'react';
import { CheckBox } from '#islands/ui/Field.tsx';
import { PasswordField } from '#islands/ui/PasswordField.tsx';
import { paths } from '#paths.ts';
import { login, rememberedEmail } from '#stores/account/login.ts';
import { AccountForm, EmailField } from './AccountForm.tsx';

export function LoginForm() {
  const email = useRef<HTMLInputElement>(null);
  const remember = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const remembered = rememberedEmail();
    if (remembered === '' || !email.current || !remember.current || email.current.value !== '') return;
    email.current.value = remembered;
    remember.current.checked = true;
  }, []);

  return (
    <AccountForm
      form={login}
      fields={['email', 'password', 'rememberMe']}
      labels={{ submit: 'Sign in', working: 'Signing in...' }}
    >
      {(field) => (
        <>
          <EmailField ref={email} {...field('email')} />
          <PasswordField {...field('password')} label="Password" autoComplete="current-password" />
          <div className="flex flex-wrap items-center justify-between gap-x-4">
            <CheckBox name="rememberMe" ref={remember}>
              Remember me
            </CheckBox>
            <a className="inline-flex min-h-11 items-center font-semibold" href={paths.forgotPassword}>
              Forgot password?
            </a>
          </div>
        </>
      )}
    </AccountForm>
  );
}
