import * as v from 'valibot';
import { EmailSchema, HoneypotSchema } from '#server/customers/schema.ts';
import { defineEmail, paragraphs } from '#server/email/email.ts';
import { requireEmails } from '#server/email/links.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { senderOf } from '#server/email/render.tsx';
import { defineCall } from '#server/services/call.ts';
import { withLimits } from '#server/services/limits.ts';
import { plainLines, plainText, tidied } from '#server/services/plain-text.ts';

const line = (label: string) =>
  v.pipe(
    v.string(`Enter your ${label}`),
    v.trim(),
    v.maxLength(200, `Your ${label} can have at most 200 characters`),
    tidied,
    v.nonEmpty(`Enter your ${label}`),
    plainText(`Your ${label} has characters that cannot be printed`),
  );

const MESSAGE = {
  name: line('name'),
  email: EmailSchema,
  subject: line('subject'),
  message: v.pipe(
    plainLines(5_000, {
      missing: 'Enter your message',
      long: 'Your message can have at most 5,000 characters',
      unprintable: 'Your message has characters that cannot be printed',
    }),
    v.nonEmpty('Enter your message'),
  ),
};

const DetailsSchema = v.object(v.entriesFromList(['to', 'name', 'email', 'subject', 'message'], v.string()));

type Details = v.InferOutput<typeof DetailsSchema>;

const received = defineEmail<Details, Details>({
  kind: 'contactMessage',
  isToStaff: true,
  when: 'A visitor wrote by the contact form: to the company, whose reply goes to the visitor',
  details: DetailsSchema,
  find: async (_db, _email, details) => ({
    address: details.to,
    name: '',
    language: 'en',
    replyTo: details.email,
    facts: details,
  }),
  sample: {
    to: 'care@example.com',
    name: 'Asha Rao',
    email: 'asha@example.com',
    subject: 'An order',
    message: 'Where is my order?\nIt should have come yesterday.',
  },
  write: (_language, { name, email, subject, message }) => ({
    subject: `Contact form: ${subject}`,
    blocks: [
      { text: `${name}, ${email}, wrote by the contact form. Your reply goes there:` },
      ...paragraphs(message),
    ],
  }),
});

export const CONTACT_EMAILS = { received };

export const contactCall = defineCall('POST /contact', 'Contact', 'contact', {
  access: 'public',
  summary: 'Write to the shop',
  description:
    'Sends an email to the company, whose reply goes to the sender. `website` must be empty: if it has a text, the answer is the same and nothing is sent.',
  request: { body: v.object({ ...MESSAGE, website: HoneypotSchema }) },
  failures: [404, 422, 429, 503],
  authorize: requireEmails,
  async handle(context, services, { body: { website, ...message } }) {
    const { contactAddress, contact } = services.limiters;
    const send = async () => {
      if (website !== '') return;
      const { companyEmail: to } = await senderOf(services);
      // It is about the sender's email, so that it is erased with the account of this email.
      await services.db.write((transaction) =>
        queueEmail(transaction, services, received, message.email, { ...message, to }),
      );
    };
    await withLimits([contactAddress(services.clientAddress(context)), contact(message.email)], send);
    return context.json({});
  },
});
