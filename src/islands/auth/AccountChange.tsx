import { useStore } from '@nanostores/react';
import type { CustomerName } from '#domain/account.ts';
import { ButtonLink } from '#islands/ui/Button.tsx';
import { focusAtOnce } from '#islands/ui/hooks.ts';
import { AccountCard, AccountCards, Island } from '#islands/ui/Island.tsx';
import type { FieldState } from '#islands/ui/use-form.ts';
import { paths } from '#paths.ts';
import {
  $asksPassword,
  $confirmation,
  $currentName,
  changeEmail,
  changeName,
  changePassword,
  confirmEmail,
  rejectAccount,
} from '#stores/account/account-change.ts';
import {
  AccountForm,
  type AccountFormProps,
  CurrentPassword,
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
  return <NameFields name={useStore($currentName, { ssr: () => undefined })} field={field} />;
}

const OUTCOMES = {
  partial: 'Thank you. Now open the link in the email to the other address.',
  complete: 'The email of your account is confirmed. Sign in with it from now on.',
  rejected: 'Thank you. This address is no longer used for that account.',
} as const;

const Finished = ({ outcome }: { readonly outcome: keyof typeof OUTCOMES }) => (
  <AccountCards>
    <AccountCard>
      <p role="status" tabIndex={-1} ref={focusAtOnce}>
        {OUTCOMES[outcome]}
      </p>
      <ButtonLink variant="outline" href={paths.home}>
        Return to Home
      </ButtonLink>
    </AccountCard>
  </AccountCards>
);

/** Anybody may have opened an account with the address, so its owner confirms only an account whose password they know. */
function Confirming() {
  const asksPassword = useStore($asksPassword);
  return (
    <AccountCards>
      <FormCard
        labelledBy="confirm-title"
        title="Confirm the email of your account?"
        form={confirmEmail}
        fields={asksPassword ? ['currentPassword'] : []}
        labels={{ submit: 'Confirm the email', working: 'Confirming...' }}
      >
        {(field) => asksPassword && <CurrentPassword {...field('currentPassword')} />}
      </FormCard>
      <FormCard
        labelledBy="reject-title"
        title="Did somebody else use your address?"
        form={rejectAccount}
        fields={[]}
        labels={{ submit: 'This is not my account', working: 'Closing...' }}
      >
        {() => <p>The account that was opened with it is closed, and a change to it ends.</p>}
      </FormCard>
    </AccountCards>
  );
}

function Contents() {
  const confirmation = useStore($confirmation, { ssr: () => 'none' as const });
  if (confirmation === 'pending') return <Confirming />;
  if (confirmation !== 'none') return <Finished outcome={confirmation} />;
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
            <CurrentPassword {...field('currentPassword')} />
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
            <CurrentPassword {...field('current')} label="Current password" noun="current password" />
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
