import { useStore } from '@nanostores/react';
import type { ReactNode } from 'react';
import { type CustomerName, validate } from '#domain/account.ts';
import { Button } from '#islands/ui/Button.tsx';
import { ErrorSummary, errorsOf } from '#islands/ui/ErrorSummary.tsx';
import { Field, type FieldProps } from '#islands/ui/Field.tsx';
import { Island } from '#islands/ui/Island.tsx';
import { AccountEmail, PasswordField } from '#islands/ui/PasswordField.tsx';
import { type FieldState, useForm } from '#islands/ui/use-form.ts';
import { type AccountForm as Form, NEW_FORM } from '#stores/account/form.ts';
import { $session, LOADING_SESSION } from '#stores/account/session.ts';

export const NewPasswordFields = ({
  label,
  field,
}: {
  readonly label: string;
  field(name: 'password' | 'confirmPassword'): FieldState;
}) => (
  <>
    <PasswordField
      {...field('password')}
      label={label}
      hint="At least 6 characters"
      autoComplete="new-password"
    />
    <PasswordField
      {...field('confirmPassword')}
      label="Confirm password"
      noun="confirm password"
      autoComplete="new-password"
    />
  </>
);

/** The password of the account, before something of it changes. */
export const CurrentPassword = (props: FieldState & { readonly label?: string; readonly noun?: string }) => {
  const session = useStore($session, { ssr: () => LOADING_SESSION });
  return (
    <>
      <AccountEmail email={(session.status === 'signed-in' && session.account?.email) || ''} />
      <PasswordField label="Your password" {...props} autoComplete="current-password" />
    </>
  );
};

/** The specification refuses a name of one letter, which people in the south of India have. */
const ONE_LETTER = 'If it is one letter, add a dot: K.';

interface NameFieldsProps {
  /** The values before the visitor types. */
  readonly name?: Partial<CustomerName> | undefined;
  field(name: keyof CustomerName): FieldState;
}

export function NameFields({ name, field }: NameFieldsProps) {
  const control = (id: keyof CustomerName) => {
    const state = field(id);
    return { ...state, defaultValue: name?.[id], advice: state.error ? ONE_LETTER : undefined };
  };
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field {...control('firstName')} label="First name" autoComplete="given-name" />
      <Field {...control('lastName')} label="Last name" autoComplete="family-name" />
    </div>
  );
}

export const EmailField = (props: Omit<FieldProps, 'label'> & { readonly label?: string }) => (
  <Field
    label="Email"
    {...props}
    type="email"
    autoComplete="email"
    inputMode="email"
    autoCapitalize="none"
    spellCheck={false}
  />
);

export interface AccountFormProps<Fields> {
  readonly form: Form<Fields>;
  readonly labelledBy?: string;
  readonly className?: string;
  readonly fields: readonly (keyof Fields & string)[];
  readonly labels: { readonly submit: string; readonly working: string };
  /** Renders the fields. `field` returns the props of a control. */
  children(field: (name: keyof Fields & string) => FieldState): ReactNode;
}

export function AccountForm<Fields extends Record<keyof Fields, string>>(props: AccountFormProps<Fields>) {
  const { form, labelledBy = 'auth-title', className, fields, labels, children } = props;
  const { status, errors, failure, attempt } = useStore(form.state, { ssr: () => NEW_FORM });
  const { field, formProps } = useForm({
    fields,
    errors,
    validate,
    submit: (texts) => void form.submit(texts as Fields),
  });
  const working = status !== 'editing';
  return (
    <Island className={className}>
      <form className="mt-5 grid gap-4" aria-labelledby={labelledBy} onFocus={form.prepare} {...formProps}>
        {(failure || Object.keys(errors).length > 0) && (
          <ErrorSummary
            title={failure ?? 'There is a problem'}
            errors={errorsOf(fields, errors)}
            attempt={attempt}
          />
        )}
        {children(field)}
        <Button type="submit" size="large" busy={working}>
          {working ? labels.working : labels.submit}
        </Button>
      </form>
    </Island>
  );
}
