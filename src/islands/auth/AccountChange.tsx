import { useStore } from '@nanostores/react';
import type { CustomerName } from '#domain/account.ts';
import { ButtonLink } from '#islands/ui/Button.tsx';
import { focusAtOnce } from '#islands/ui/hooks.ts';
import { AccountCard, AccountCards, Island } from '#islands/ui/Island.tsx';
import { AccountEmail, PasswordField } from '#islands/ui/PasswordField.tsx';
import type { FieldState } from '#islands/ui/use-form.ts';
import { paths } from '#paths.ts';
import {
  $confirmation,
  $current,
  changeEmail,
  changeName,
  changePassword,
  confirmEmail,
} from '#stores/account/account-change.ts';
import {
  AccountForm,
  type AccountFormProps,
  EmailField,
  NameFields,
  NewPasswordFields,
} from './AccountForm.tsx';

const WORKING = 'Changing...';

interface FormCardProps<Fields> extends AccountFormProps<Fields> {
  readonly labelledBy: string;
  readonly title: string;
}

const FormCard = <Fields extends Record<keyof Fields, string>>(props: FormCardProps<Fields>) => (
  <AccountCard className="*:w-full [&_form]:mt-0">
    <h2 id={props.labelledBy} className="text-subheading">
      {props.title}
    </h2>
    <AccountForm {...props} />
  </AccountCard>
);

/** The account's name is only the default of the fields, so text typed before it has loaded stays. */
function CurrentNameFields({ field }: { field(name: keyof CustomerName): FieldState }) {
  return <NameFields name={useStore($current, { ssr: () => undefined })} field={field} />;
}

const CurrentEmail = () => <AccountEmail email={useStore($current, { ssr: () => undefined })?.email ?? ''} />;

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
    <FormCard
      labelledBy="confirm-title"
      title="Confirm the email of your account?"
      form={confirmEmail}
      fields={[]}
      labels={{ submit: 'Confirm the email', working: 'Confirming...' }}
    >
      {() => null}
    </FormCard>
  </AccountCards>
);

function Contents() {
  const confirmation = useStore($confirmation, { ssr: () => 'none' as const });
  if (confirmation === 'pending') return <Confirming />;
  if (confirmation !== 'none') return <Confirmed isComplete={confirmation === 'complete'} />;
  return (
    <AccountCards>
      <FormCard
        labelledBy="name-title"
        title="Your name"
        form={changeName}
        fields={['firstName', 'lastName']}
        labels={{ submit: 'Change the name', working: WORKING }}
      >
        {(field) => <CurrentNameFields field={field} />}
      </FormCard>
      <FormCard
        labelledBy="email-title"
        title="Your email"
        form={changeEmail}
        fields={['email', 'currentPassword']}
        labels={{ submit: 'Change the email', working: WORKING }}
      >
        {(field) => (
          <>
            <EmailField
              {...field('email')}
              label="New email"
              hint="We write to both addresses. The email changes once both links were opened."
            />
            <CurrentEmail />
            <PasswordField
              {...field('currentPassword')}
              label="Your password"
              autoComplete="current-password"
            />
          </>
        )}
      </FormCard>
      <FormCard
        labelledBy="password-title"
        title="Your password"
        form={changePassword}
        fields={['current', 'password', 'confirmPassword']}
        labels={{ submit: 'Change the password', working: WORKING }}
      >
        {(field) => (
          <>
            <CurrentEmail />
            <PasswordField
              {...field('current')}
              label="Current password"
              noun="current password"
              autoComplete="current-password"
            />
            <NewPasswordFields label="New password" field={field} />
          </>
        )}
      </FormCard>
    </AccountCards>
  );
}

export const AccountChange = () => (
  <Island>
    <Contents />
  </Island>
);
