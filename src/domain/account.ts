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

/** The password policy for customers, in characters. For staff it is in src/server/staff/forms.ts. */
export const PASSWORD_MINIMUM = 6;
export const PASSWORD_TOO_SHORT = 'Password must be at least 6 characters';
const NAME_MINIMUM = 2;

const length = (text: string): number => [...text].length;

const isTooShort = (name: string): boolean => length(tidyText(name)) < NAME_MINIMUM;

type Rule = (text: string, form: Partial<NewPassword>) => string | false;

const requireCurrent: Rule = (text) => text === '' && 'Type the password that you have now';

/** The rules of all account forms, by field. A field without a rule, such as a checkbox, is always valid. */
const RULES: Readonly<Record<string, Rule>> = {
  firstName: (name) => isTooShort(name) && 'First name must be at least 2 characters',
  lastName: (name) => isTooShort(name) && 'Last name must be at least 2 characters',
  email: (email) => !isEmail(email) && 'Invalid email address',
  current: requireCurrent,
  currentPassword: requireCurrent,
  password: (text) => length(text) < PASSWORD_MINIMUM && PASSWORD_TOO_SHORT,
  confirmPassword: (text, { password }) => text !== password && 'Passwords do not match',
};

export const validate = <Form extends object>(form: Form): FieldErrors<Form> =>
  Object.fromEntries(
    Object.entries(form)
      .map(([name, text]) => [name, RULES[name]?.(text, form)])
      .filter(([, error]) => error),
  ) as FieldErrors<Form>;
