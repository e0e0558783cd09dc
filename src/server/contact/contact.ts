import * as v from 'valibot';
import { EmailSchema, HoneypotSchema } from '#server/customers/schema.ts';
import { sessionCustomer } from '#server/customers/sessions.ts';
import { json } from '#server/db/columns.ts';
import type { Transaction } from '#server/db/database.ts';
import { setMeta } from '#server/db/meta.ts';
import { q } from '#server/db/query.ts';
import { defineEmail, paragraphs } from '#server/email/email.ts';
import { requireEmails } from '#server/email/links.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { senderOf } from '#server/email/render.tsx';
import { ifRefused } from '#server/http/refusal.ts';
import { HOUR, MINUTE } from '#server/process/clock.ts';
import { defineCall } from '#server/services/call.ts';
import { plainLines, plainText, tidied } from '#server/services/plain-text.ts';
import type { Services } from '#server/services/services.ts';

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
  sample: SAMPLE,
  write: (_language, { name, email, subject, message }) => ({
    subject: `Contact form: ${subject}`,
    blocks: [
      { text: `${name}, ${email}, wrote by the contact form. Your reply goes there:` },
      ...paragraphs(message),
    ],
  }),
});

/** The most messages of a digest, and the most characters of each. A flood's others are only counted. */
const DIGEST_MESSAGES = 200;
const DIGEST_CHARACTERS = 1_000;

const DigestSchema = v.object({ to: v.string(), messages: v.array(DetailsSchema), more: v.number() });

type Digest = v.InferOutput<typeof DigestSchema>;

const digest = defineEmail<Digest, Digest>({
  kind: 'contactDigest',
  isToStaff: true,
  when: 'Many visitors wrote by the contact form within an hour: to the company, their messages in one email',
  details: DigestSchema,
  find: async (_db, _id, facts) => ({ address: facts.to, name: '', language: 'en', facts }),
  sample: { to: 'care@example.com', messages: [SAMPLE, { ...SAMPLE, subject: 'A return' }], more: 3 },
  write: (_language, { messages, more }) => ({
    subject: `Contact form: ${messages.length + more} messages`,
    blocks: [
      { text: 'So many wrote within an hour that their messages are in one email. Reply to each address.' },
      ...messages.flatMap(({ name, email, subject, message }) => [
        { rows: [[`${name}, ${email}`, subject] as const] },
        ...paragraphs(message),
      ]),
      ...(more > 0 ? [{ text: `${more} further messages were left out.` }] : []),
    ],
  }),
});

export const CONTACT_EMAILS = { received, digest };

/** Adds a message to the digest that is sent within the hour. */
async function addToDigest(
  transaction: Transaction,
  services: Services,
  { to, ...details }: Details,
): Promise<void> {
  const now = services.clock();
  const message = { ...details, to, message: details.message.slice(0, DIGEST_CHARACTERS) };
  // So many messages at once must wait for each other, also to begin one digest.
  await setMeta(transaction, 'contact_digest', String(now));
  const waiting = await transaction.row(
    q
      .selectFrom('emails')
      .select(['id', 'details'])
      .where('kind', '=', digest.kind)
      // The mailer may have read one that is due.
      .where('nextTryAt', '>', now + MINUTE),
    { details: json(DigestSchema) },
  );
  if (!waiting) {
    const first = { to, messages: [message], more: 0 };
    await queueEmail(transaction, services, { ...digest, waits: HOUR }, 'digest', first);
    return;
  }
  const { messages, more } = waiting.details;
  const isFull = messages.length >= DIGEST_MESSAGES;
  const added = { to, messages: isFull ? messages : [...messages, message], more: isFull ? more + 1 : more };
  const update = q.updateTable('emails').set({ details: JSON.stringify(added) });
  await transaction.run(update.where('id', '=', waiting.id));
}

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
      // It is about the sender's email, so that it is erased with the account of this email.
      const alone = () =>
        db.write((transaction) =>
          queueEmail(transaction, services, received, message.email, { ...message, to }),
        );
      await ifRefused(limits.spend(['loneMessage'], { ...caller, target: 'company' }, alone), () =>
        db.write((transaction) => addToDigest(transaction, services, { ...message, to })),
      );
    };
    const customer = await sessionCustomer(services, context);
    if (customer) await limits.spend(['accountMessage'], { ...caller, account: customer.id }, send);
    else await limits.spend(['message'], caller, send);
    return context.json({});
  },
});
