import { useStore } from '@nanostores/react';
import type { ReactNode } from 'react';
import type { CustomerName } from '#domain/account.ts';
import { ButtonLink } from '#islands/ui/Button.tsx';
import { focusAtOnce } from '#islands/ui/hooks.ts';
import { AccountCard, AccountCards, Island } from '#islands/ui/Island.tsx';
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
} from '#stores/account/account-change.ts';
import { AccountForm, EmailField, NameFields, NewPasswordFields } from './AccountForm.tsx';

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
    <AccountCard className="*:w-full [&_form]:mt-0">
      <h2 id={id} className="text-subheading">
        {title}
      </h2>
      {children}
    </AccountCard>
  );
}

/** The account's name is only the default of the fields, so text typed before it has loaded stays. */
function CurrentNameFields({ field }: { field(name: keyof CustomerName): FieldState }) {
  return <NameFields name={useStore($currentName, { ssr: () => undefined })} field={field} />;
}

const Confirmed = ({ isComplete }: { readonly isComplete: boolean }) => (
  <AccountCards>
    <AccountCard>
      <p role="status" tabIndex={-1} ref={focusAtOnce}>
        {isComplete
          ? 'The email of your account is confirmed. Sign in with it from now on.'
          : 'Thank you. Now open the link in the email to the other address.'}
      </p>
      <ButtonLink variant="outline" href={paths.home}>
        Return to Home
      </ButtonLink>
    </AccountCard>
  </AccountCards>
);

const Confirming = () => (
  <AccountCards>
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
  </AccountCards>
);

function Contents() {
  const confirmation = useStore($confirmation, { ssr: () => 'none' as const });
  if (confirmation === 'pending') return <Confirming />;
  if (confirmation !== 'none') return <Confirmed isComplete={confirmation === 'complete'} />;
  return (
    <AccountCards>
      <Card id="name-title" title="Your name">
        <AccountForm
          form={changeName}
          fields={['firstName', 'lastName']}
          labelledBy="name-title"
          labels={{ submit: 'Change the name', working: WORKING }}
        >
          {(field) => <CurrentNameFields field={field} />}
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
    </AccountCards>
  );
}

export const AccountChange = () => (
  <Island>
    <Contents />
  </Island>
);
