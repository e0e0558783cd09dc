import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { plural } from '#domain/text.ts';
import { EmailSchema, HoneypotSchema } from '#server/customers/schema.ts';
import { sessionCustomer } from '#server/customers/sessions.ts';
import { json } from '#server/db/columns.ts';
import { q } from '#server/db/query.ts';
import { defineEmail, paragraphs } from '#server/email/email.ts';
import { requireEmails } from '#server/email/links.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { senderOf } from '#server/email/render.tsx';
import { ifRefused } from '#server/http/refusal.ts';
import { plainLines, plainText, tidied } from '#server/http/sent-values.ts';
import { HOUR } from '#server/process/clock.ts';
import { defineCall } from '#server/services/call.ts';
import type { Services } from '#server/services/services.ts';
import { notifyStaff } from '#server/staff/notifications.ts';

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

const SAMPLE: Details = {
  to: 'care@example.com',
  name: 'Asha Rao',
  email: 'asha@example.com',
  subject: 'An order',
  message: 'Where is my order?\nIt should have come yesterday.',
};

/** One message, or a digest of an hour with many. */
const received = defineEmail<Details[], { readonly messages: readonly Details[] }>({
  kind: 'contactMessage',
  isToStaff: true,
  when: 'A visitor wrote by the contact form: to the company, whose reply goes to the visitor. Of an hour with many messages, one email has all',
  details: v.array(DetailsSchema),
  find: async (_db, _email, messages) => ({
    address: messages[0]?.to ?? '',
    name: '',
    language: 'en',
    ...(messages.length === 1 && { replyTo: messages[0]?.email ?? '' }),
    facts: { messages },
  }),
  sample: { messages: [SAMPLE] },
  write: (_language, { messages }) => ({
    subject: `Contact form: ${messages.length === 1 ? messages[0]?.subject : plural(messages.length, 'message')}`,
    blocks: messages.flatMap(({ name, email, subject, message }) => [
      messages.length === 1
        ? { text: `${name}, ${email}, wrote by the contact form. Your reply goes there:` }
        : { rows: [[`${name}, ${email}`, subject] as const] },
      ...paragraphs(message),
    ]),
  }),
});

export const CONTACT_EMAILS = { received };

/** The most messages in one email. */
const DIGEST_MESSAGES = 100;

/** Sends the waiting messages as few emails. Until then, a message is erased together with its sender's account. */
export const sendDigests = (services: Services): Promise<void> =>
  services.db.write(async (transaction) => {
    const ofKind = q.deleteFrom('emails').where('kind', '=', received.kind).where('tries', '=', 0);
    const waiting = ofKind.where('nextTryAt', '>', services.clock()).returning('details');
    const rows = await transaction.rows(waiting, { details: json(v.array(DetailsSchema)) });
    const messages = rows.flatMap(({ details }) => details);
    while (messages.length > 0)
      await queueEmail(transaction, services, received, 'digest', messages.splice(0, DIGEST_MESSAGES));
  });

export const contactCall = defineCall('POST /contact', 'Contact', 'contact', {
  access: 'public',
  spends: { handled: 'message' },
  summary: 'Write to the shop',
  description:
    'Sends an email to the company, whose reply goes to the sender. `website` must be empty: if it has a text, the answer is the same and nothing is sent.',
  request: { body: v.object({ ...MESSAGE, website: HoneypotSchema }) },
  failures: [404, 422, 429, 503],
  authorize: requireEmails,
  async handle(context, services, { body: { website, ...message } }) {
    const { db, limits } = services;
    const caller = services.callerOf(context);
    const send = async () => {
      if (website !== '') return;
      const { companyEmail: to } = await senderOf(services);
      // Its subject is the sender's email, so that it is erased with the account of this email.
      const store = (waits: number) =>
        db.write(async (transaction) => {
          await queueEmail(transaction, services, { ...received, waits }, message.email, [
            { ...message, to },
          ]);
          await notifyStaff(transaction, services, 'messages', randomUUID());
        });
      const company = { ...caller, target: 'company' };
      // Further messages wait for a digest. Without one, they are sent singly.
      await ifRefused(
        limits.spend(['loneMessage'], company, () => store(0)),
        () => store(2 * HOUR),
      );
    };
    const customer = await sessionCustomer(services, context);
    if (customer) await limits.spend(['accountMessage'], { ...caller, account: customer.id }, send);
    else await limits.spend(['message'], caller, send);
    return context.json({});
  },
});
