import * as v from 'valibot';
import { EmailSchema, HoneypotSchema, LanguageSchema } from '#scripts/api/customers/schema.ts';
import { plainLines, plainText } from '#scripts/api/shop/plain-text.ts';

const line = (label: string) =>
  v.pipe(
    v.string(`Enter your ${label}`),
    v.trim(),
    v.nonEmpty(`Enter your ${label}`),
    v.maxLength(200, `Your ${label} can have at most 200 characters`),
    plainText(`Your ${label} has characters that cannot be printed`),
  );

/** A text of several lines, from a customer or to one. @param what it is called, such as 'message' */
export const linesOf = (what: string) =>
  v.pipe(
    plainLines(5_000, {
      missing: `Enter your ${what}`,
      long: `Your ${what} can have at most 5,000 characters`,
      unprintable: `Your ${what} has characters that cannot be printed`,
    }),
    v.nonEmpty(`Enter your ${what}`),
  );

export const MessageSchema = v.object({
  name: line('name'),
  email: EmailSchema,
  subject: line('subject'),
  message: linesOf('message'),
  language: LanguageSchema,
  website: HoneypotSchema,
});
