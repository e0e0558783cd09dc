import { useStore } from '@nanostores/react';
import { type ReactNode, useEffect } from 'react';
import type { CustomerName } from '#domain/account.ts';
import { Field } from '#islands/ui/Field.tsx';
import { focusAtOnce } from '#islands/ui/hooks.ts';
import { Island } from '#islands/ui/Island.tsx';
import { PasswordField } from '#islands/ui/PasswordField.tsx';
import type { FieldState } from '#islands/ui/use-form.ts';
import { paths } from '#paths.ts';
import {
  $confirmation,
  $currentName,
  changeEmail,
  changeName,
  changePassword,
  confirmEmail,
  openAccountChange,
} from '#stores/account/account-change.ts';
import { AccountForm, EmailField, NewPasswordFields } from './AccountForm.tsx';

const WORKING = 'Changing...';

function Card({
  id,
  title,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
}) {
  return (
    <section className="account-card account-form">
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** The account's name is only the default of the fields, so text typed before it has loaded stays. */
function NameFields({ field }: { field(name: keyof CustomerName): FieldState }) {
  const name = useStore($currentName, { ssr: () => undefined });
  return (
    <div className="auth-pair">
      <Field
        {...field('firstName')}
        label="First name"
        autoComplete="given-name"
        defaultValue={name?.firstName}
      />
      <Field
        {...field('lastName')}
        label="Last name"
        autoComplete="family-name"
        defaultValue={name?.lastName}
      />
    </div>
  );
}

const Confirmed = ({ isComplete }: { readonly isComplete: boolean }) => (
  <div className="account">
    <section className="account-card">
      <p role="status" tabIndex={-1} ref={focusAtOnce}>
        {isComplete
          ? 'The email of your account is confirmed. Sign in with it from now on.'
          : 'Thank you. Now open the link in the email to the other address.'}
      </p>
      <a className="btn btn-outline" href={paths.home}>
        Return to Home
      </a>
    </section>
  </div>
);

const Confirming = () => (
  <div className="account">
    <Card id="confirm-title" title="Confirm the email of your account?">
      <AccountForm
        form={confirmEmail}
        fields={[]}
        labelledBy="confirm-title"
        labels={{ submit: 'Confirm the email', working: 'Confirming...' }}
      >
        {() => null}
      </AccountForm>
    </Card>
  </div>
);

function Contents() {
  const confirmation = useStore($confirmation, { ssr: () => 'none' as const });
  useEffect(openAccountChange, []);
  if (confirmation === 'pending') return <Confirming />;
  if (confirmation !== 'none') return <Confirmed isComplete={confirmation === 'complete'} />;
  return (
    <div className="account">
      <Card id="name-title" title="Your name">
        <AccountForm
          form={changeName}
          fields={['firstName', 'lastName']}
          labelledBy="name-title"
          labels={{ submit: 'Change the name', working: WORKING }}
        >
          {(field) => <NameFields field={field} />}
        </AccountForm>
      </Card>
      <Card id="email-title" title="Your email">
        <AccountForm
          form={changeEmail}
          fields={['email', 'currentPassword']}
          labelledBy="email-title"
          labels={{ submit: 'Change the email', working: WORKING }}
        >
          {(field) => (
            <>
              <EmailField
                {...field('email')}
                label="New email"
                hint="We write to both addresses. The email changes once both links were opened."
              />
              <PasswordField
                {...field('currentPassword')}
                label="Your password"
                autoComplete="current-password"
              />
            </>
          )}
        </AccountForm>
      </Card>
      <Card id="password-title" title="Your password">
        <AccountForm
          form={changePassword}
          fields={['current', 'password', 'confirmPassword']}
          labelledBy="password-title"
          labels={{ submit: 'Change the password', working: WORKING }}
        >
          {(field) => (
            <>
              <PasswordField
                {...field('current')}
                label="Current password"
                noun="current password"
                autoComplete="current-password"
              />
              <NewPasswordFields label="New password" field={field} />
            </>
          )}
        </AccountForm>
      </Card>
    </div>
  );
}

export const AccountChange = () => (
  <Island>
    <Contents />
  </Island>
);
