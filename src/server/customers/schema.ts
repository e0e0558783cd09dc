import * as v from 'valibot';
import { PASSWORD_MINIMUM, PASSWORD_TOO_SHORT } from '#domain/account.ts';
import { canonicalEmail, isEmail } from '#domain/email.ts';
import { LANGUAGES } from '#domain/language.ts';
import { plainText, tidied } from '#server/http/sent-values.ts';

const MAX_PASSWORD_BYTES = 1_024;

export const EmailSchema = v.pipe(
  v.string('Invalid email address'),
  v.maxLength(1_000, 'Invalid email address'),
  v.transform(canonicalEmail),
  v.maxLength(254, 'Invalid email address'),
  plainText('Invalid email address'),
  v.check(isEmail, 'Invalid email address'),
);

/** Not trimmed, because passwords are compared byte for byte. */
export const PasswordSchema = v.pipe(
  v.string(PASSWORD_TOO_SHORT),
  v.maxBytes(MAX_PASSWORD_BYTES, 'Password must be at most 1024 bytes'),
  v.check((text) => text.isWellFormed(), 'Password is not valid text'),
);

export const nameSchema = (label: string) =>
  v.pipe(
    v.string(`${label} must be at least 2 characters`),
    v.trim(),
    v.maxLength(100, `${label} must be at most 100 characters`),
    tidied,
    v.minLength(2, `${label} must be at least 2 characters`),
    plainText(`${label} is not valid text`),
    // Emails greet by name, and may go to a stranger's address: the name must contain no link.
    v.check((text) => !/:\/\/|www\./i.test(text), `${label} is not valid text`),
  );

/** The language of the pages that the shopper reads, and of the emails. */
export const LanguageSchema = v.optional(v.picklist(LANGUAGES, 'The language is not known'));

/** The hidden field `website`. If a bot fills it in, the call responds as usual and stores nothing. */
export const HoneypotSchema = v.optional(v.string(), '');

export const DeviceSchema = v.optional(
  v.pipe(
    v.string(),
    v.maxLength(200),
    v.description('The `device` of the last sign-in on this device. It gives no access.'),
  ),
);

export const SignInSchema = v.object({
  email: EmailSchema,
  password: PasswordSchema,
  device: DeviceSchema,
});

/** The password policy. It applies when a password is chosen, not at a sign-in. */
export const NewPasswordSchema = v.pipe(PasswordSchema, v.minLength(PASSWORD_MINIMUM, PASSWORD_TOO_SHORT));

export const RegistrationSchema = v.object({
  email: EmailSchema,
  password: NewPasswordSchema,
  firstName: nameSchema('First name'),
  lastName: nameSchema('Last name'),
  language: LanguageSchema,
});

export const DeviceAnswerSchema = v.object({ device: v.string() });

export const TokenSchema = v.object({ token: v.string(), ...DeviceAnswerSchema.entries });

export const RegisteredSchema = v.object({
  data: v.object({ email: v.string(), firstName: v.string(), lastName: v.string() }),
});

export const AccountSchema = v.object({
  data: v.object({
    firstName: v.string(),
    lastName: v.string(),
    email: v.string(),
    createdAt: v.string(),
    newEmail: v.pipe(
      v.optional(v.string()),
      v.description('The email that the account gets once both addresses have confirmed it.'),
    ),
  }),
});
