import * as v from 'valibot';
import type { Errors } from '#server/admin/forms/field.ts';
import { defineForm } from '#server/admin/forms/parse.ts';
import { ROLES, RoleSchema } from '#server/admin/roles.ts';
import { EmailSchema, nameSchema, PasswordSchema } from '#server/customers/schema.ts';
import { tidiedCode } from '#server/http/sent-values.ts';

const ROLE_OPTIONS = Object.entries(ROLES).map(([value, { label }]) => ({ value, label }));

/** The password policy for the staff, in characters. It is stricter than for customers, because staff change prices. */
export const MIN_PASSWORD_LENGTH = 10;

const NewPasswordSchema = v.pipe(
  PasswordSchema,
  v.check(
    (text) => [...text].length >= MIN_PASSWORD_LENGTH,
    `Password must be at least ${MIN_PASSWORD_LENGTH} characters`,
  ),
);

const newPassword = {
  label: 'New password',
  hint: `At least ${MIN_PASSWORD_LENGTH} characters. A few words that no one else would combine are good.`,
  control: 'password',
  autocomplete: 'new-password',
} as const;

export const signInForm = defineForm(v.object({ email: EmailSchema, password: PasswordSchema }), {
  email: { label: 'Email', control: 'email', autocomplete: 'username' },
  password: { label: 'Password', control: 'password', autocomplete: 'current-password' },
});

export const linkForm = defineForm(v.object({ password: NewPasswordSchema }), { password: newPassword });

/** The hidden field that link.js fills in. */
export const LINK_TOKEN = 'token';

export const passwordForm = defineForm(v.object({ current: PasswordSchema, password: NewPasswordSchema }), {
  current: { label: 'Current password', control: 'password', autocomplete: 'current-password' },
  password: newPassword,
});

export const codeForm = defineForm(
  v.object({
    code: v.pipe(
      v.string(),
      v.trim(),
      v.minLength(6, 'Type the code'),
      v.maxLength(40, 'Type the code'),
      tidiedCode,
    ),
  }),
  {
    code: {
      label: 'Code',
      hint: 'The six digits in the app, or one of your recovery codes',
      control: 'text',
      autocomplete: 'one-time-code',
    },
  },
);

export const WRONG_CODE: Errors = new Map([['code', 'This code is wrong or was used already']]);

export const staffMemberForm = defineForm(
  v.object({ name: nameSchema('Name'), email: EmailSchema, role: RoleSchema }),
  {
    name: { label: 'Name', control: 'text', autocomplete: 'off' },
    email: { label: 'Email', control: 'email', autocomplete: 'off' },
    role: {
      label: 'Role',
      hint: Object.values(ROLES)
        .map(({ does }) => does)
        .join(' '),
      control: 'radios',
      options: ROLE_OPTIONS,
    },
  },
);

export const roleForm = defineForm(v.object({ role: RoleSchema }), {
  role: { label: 'Role', control: 'select', options: ROLE_OPTIONS },
});
