import { PasswordField } from '#islands/ui/PasswordField.tsx';
import type { FieldState } from '#islands/ui/use-form.ts';

/** A password that is chosen now, typed twice. */
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
