import { isEmail } from './email.ts';
import { tidyText } from './text.ts';

export interface Account {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  /** ISO 8601 as the server sent it, or ''. */
  readonly createdAt: string;
  /** A new email that both addresses must still confirm, or ''. */
  readonly newEmail: string;
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

export interface CustomerName {
  readonly firstName: string;
  readonly lastName: string;
}

export interface Registration extends Credentials, CustomerName {
  readonly confirmPassword: string;
}

export interface NewPassword {
  readonly password: string;
  readonly confirmPassword: string;
}

export type FieldErrors<Form> = Partial<Record<keyof Form, string>>;

/** The password policy for customers: a length in characters. That of the staff is in src/server/staff/forms.ts. */
const PASSWORD_MINIMUM = 6;
const NAME_MINIMUM = 2;

const length = (text: string): number => [...text].length;

function compact<Form>(errors: { [Field in keyof Form]?: string | undefined }): FieldErrors<Form> {
  const present = Object.entries(errors).filter(([, text]) => text !== undefined);
  return Object.fromEntries(present) as FieldErrors<Form>;
}

const emailError = (email: string): string | undefined =>
  isEmail(email) ? undefined : 'Invalid email address';

const passwordError = (password: string): string | undefined =>
  length(password) < PASSWORD_MINIMUM ? 'Password must be at least 6 characters' : undefined;

/** Returns error texts by field; empty if the form is valid. */
export function validateCredentials({ email, password }: Credentials): FieldErrors<Credentials> {
  return compact<Credentials>({ email: emailError(email), password: passwordError(password) });
}

export const validateEmail = ({
  email,
}: Pick<Credentials, 'email'>): FieldErrors<Pick<Credentials, 'email'>> =>
  compact<Pick<Credentials, 'email'>>({ email: emailError(email) });

export const validateNewPassword = ({ password, confirmPassword }: NewPassword): FieldErrors<NewPassword> =>
  compact<NewPassword>({
    password: passwordError(password),
    confirmPassword: confirmPassword === password ? undefined : 'Passwords do not match',
  });

const isTooShort = (name: string): boolean => length(tidyText(name)) < NAME_MINIMUM;

export const validateName = ({ firstName, lastName }: CustomerName): FieldErrors<CustomerName> =>
  compact<CustomerName>({
    firstName: isTooShort(firstName) ? 'First name must be at least 2 characters' : undefined,
    lastName: isTooShort(lastName) ? 'Last name must be at least 2 characters' : undefined,
  });

/** Returns error texts by field; empty if the form is valid. */
export const validateRegistration = (form: Registration): FieldErrors<Registration> => ({
  ...validateName(form),
  ...validateEmail(form),
  ...validateNewPassword(form),
});
