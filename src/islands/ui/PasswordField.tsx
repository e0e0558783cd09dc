import './password-field.css';
import { useEffect, useState } from 'react';
import { Field, type FieldProps } from './Field.tsx';
import { EyeIcon, EyeOffIcon } from './icons.tsx';

type PasswordFieldProps = Omit<FieldProps, 'type' | 'after'> & {
  readonly autoComplete: 'current-password' | 'new-password' | 'off';
  /** What the toggle shows or hides, in lower case: 'password', 'confirm password'. */
  readonly noun?: string;
};

/** A password input with a button that shows and hides what is typed. */
export function PasswordField({ noun = 'password', ...field }: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  const Eye = shown ? EyeOffIcon : EyeIcon;
  // Browsers remember the text of a plain input: it is hidden again before it is sent.
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
          className="password-toggle"
          aria-label={`${shown ? 'Hide' : 'Show'} ${noun}`}
          aria-controls={field.id}
          onClick={() => setShown(!shown)}
        >
          <Eye size={18} />
          {shown ? 'Hide' : 'Show'}
        </button>
      }
    />
  );
}
