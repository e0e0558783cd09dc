import { useEffect, useState } from 'react';
import { Field, type FieldProps } from './Field.tsx';
import { Icon } from './icons.tsx';

const EYE =
  'M2.062 12.348a1 1 0 0 1 0-.696 10.75 10.75 0 0 1 19.876 0 1 1 0 0 1 0 .696 10.75 10.75 0 0 1-19.876 0M15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0';
const EYE_OFF =
  'M10.733 5.076a10.744 10.744 0 0 1 11.205 6.575 1 1 0 0 1 0 .696 10.8 10.8 0 0 1-1.444 2.49m-6.41-.679a3 3 0 0 1-4.242-4.242M17.479 17.499a10.75 10.75 0 0 1-15.417-5.151 1 1 0 0 1 0-.696 10.75 10.75 0 0 1 4.446-5.143M2 2l20 20';

/** Without it, password managers store a new password without its account, and fill in the old one later. */
export const AccountEmail = ({ email }: { readonly email: string }) => (
  <input
    className="sr-only"
    type="email"
    name="username"
    autoComplete="username"
    value={email}
    readOnly
    tabIndex={-1}
    aria-hidden="true"
  />
);

type PasswordFieldProps = Omit<FieldProps, 'type' | 'after'> & {
  readonly autoComplete: string;
  /** The name of the field for the toggle, in lower case, such as 'confirm password'. */
  readonly noun?: string;
};

export function PasswordField({ noun = 'password', ...field }: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  // Browsers store the text of plain inputs, so the password is hidden again before the form is sent.
  useEffect(() => {
    const input = document.getElementById(field.id);
    const form = input instanceof HTMLInputElement ? input.form : null;
    const hide = (): void => setShown(false);
    form?.addEventListener('submit', hide);
    return () => form?.removeEventListener('submit', hide);
  }, [field.id]);
  return (
    <Field
      {...field}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      after={
        <button
          type="button"
          className="flex min-h-12 flex-none items-center gap-1.5 rounded-control border-0 bg-transparent px-3.5 font-strong"
          aria-label={`${shown ? 'Hide' : 'Show'} ${noun}`}
          aria-controls={field.id}
          onClick={() => setShown(!shown)}
        >
          <Icon path={shown ? EYE_OFF : EYE} size={18} />
          <span>{shown ? 'Hide' : 'Show'}</span>
        </button>
      }
    />
  );
}
