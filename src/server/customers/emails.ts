import { sql } from 'kysely';
import * as v from 'valibot';
import { LANGUAGES } from '#domain/language.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { q } from '#server/db/query.ts';
import { defineEmail, type EmailData, type LinkKind, writeTexts } from '#server/email/email.ts';
import { SITE_PATHS } from '#server/email/links.ts';
import { dropWaiting } from '#server/email/outbox.ts';
import { EMAIL_VERIFICATION } from '#server/email/verification.ts';
import type { Customer } from '#server/services/services.ts';
import { findCredentials, findEmailChange, findRecipient } from './stored-customers.ts';

export const RESET = {
  purpose: 'resetPassword',
  email: 'passwordReset',
  path: SITE_PATHS.resetPassword,
  namesAccount: true,
  minutes: 30,
} as const satisfies LinkKind;

export const EMAIL_CHANGE = {
  purpose: 'changeEmail',
  email: 'emailRequested',
  path: SITE_PATHS.accountChange,
  minutes: 24 * 60,
} as const satisfies LinkKind;

export const DELETION = {
  purpose: 'deleteAccount',
  email: 'accountDeletion',
  path: SITE_PATHS.accountData,
  minutes: 60,
} as const satisfies LinkKind;

const LINKS: readonly LinkKind[] = [RESET, EMAIL_CHANGE, DELETION, EMAIL_VERIFICATION];

/**
 * Deletes all links of a customer: their subject begins with the id. Drops waiting emails first, because they get their
 * link when they are sent.
 */
export async function endAccountLinks(
  transaction: Transaction,
  now: number,
  { id, email }: Pick<Customer, 'id' | 'email'>,
): Promise<void> {
  await dropWaiting(
    transaction,
    now,
    LINKS.map((link) => link.email),
    [id, email],
  );
  const purposes = LINKS.map(({ purpose }) => purpose);
  const links = q.deleteFrom('tokens').where('purpose', 'in', purposes);
  await transaction.run(links.where(sql`substr(subject_id, 1, ${id.length})`, '=', id));
}

/** The defaults of emails about an account. They contain nothing that a customer typed. */
const ACCOUNT_EMAIL = {
  isUrgent: true,
  unverified: 'same',
  async find(db: Reader, customerId: string): Promise<EmailData<object> | undefined> {
    const recipient = await findRecipient(db, customerId);
    return recipient && { ...recipient, facts: {} };
  },
  sample: {},
} as const;

/** The address is looked up only when the email is sent, so that no response reveals whether it has an account. */
const reset = defineEmail<object>({
  ...ACCOUNT_EMAIL,
  kind: RESET.email,
  when: 'A visitor asked for a new password: to the customer, if there is one',
  link: RESET,
  async find(db, email) {
    const customer = await findCredentials(db, email);
    const recipient = customer && (await findRecipient(db, customer.id));
    // Registering verifies no address. It may be a stranger's, so the email has no name that another customer chose.
    return recipient && { ...recipient, name: '', linkSubjectId: customer.id, facts: {} };
  },
  write: writeTexts({
    en: ({ storeName }) => `Choose a new password for ${storeName}
      Somebody, hopefully you, asked for a new password for your account. This link works once, for ${RESET.minutes} minutes:
      [Choose a new password]
      If it was not you, do nothing: your password stays as it is.`,
    hi: ({ storeName }) => `${storeName} के लिए नया पासवर्ड चुनें
      किसी ने, शायद आपने, आपके अकाउंट के लिए नया पासवर्ड माँगा है। यह लिंक एक बार, ${RESET.minutes} मिनट तक काम करता है:
      [नया पासवर्ड चुनें]
      अगर यह आपने नहीं माँगा, तो कुछ न करें: आपका पासवर्ड वही रहेगा।`,
  }),
});

const changed = defineEmail<object>({
  ...ACCOUNT_EMAIL,
  kind: 'passwordChanged',
  when: 'A password was changed: to the customer',
  write: writeTexts(
    {
      en: ({ storeName }) => `Your password for ${storeName} was changed
        The password of your account was changed, and your other devices are signed out.
        If it was not you, reply to this email, and choose another password at once:
        [Choose a new password]`,
      hi: ({ storeName }) => `${storeName} का आपका पासवर्ड बदल गया
        आपके अकाउंट का पासवर्ड बदल गया है, और आपके बाकी डिवाइस साइन आउट हो गए हैं।
        अगर यह आपने नहीं किया, तो इस ईमेल का जवाब दें और तुरंत दूसरा पासवर्ड चुनें:
        [नया पासवर्ड चुनें]`,
    },
    ({ site }) => `${site}${SITE_PATHS.forgotPassword}`,
  ),
});

/** Uses the link that every email to an unconfirmed address contains. */
const confirmation = defineEmail<object>({
  ...ACCOUNT_EMAIL,
  kind: EMAIL_VERIFICATION.email,
  when: 'A customer wants to pay in cash, and must confirm the email first: to the customer',
  write: writeTexts({
    en: ({ storeName }) => `Confirm your email for ${storeName}
      You can pay in cash once you have confirmed that this address is yours.`,
    hi: ({ storeName }) => `${storeName} के लिए अपना ईमेल पक्का करें
      जब आप पक्का कर देंगे कि यह पता आपका है, तब आप नकद भुगतान कर सकेंगे।`,
  }),
});

const EmailDetailsSchema = v.object({ email: v.string(), side: v.picklist(['old', 'new']) });

interface EmailChangeFacts {
  readonly before: string;
  readonly email: string;
  /** When the change expires, in ms. */
  readonly until: number;
}

const TIME = { dateStyle: 'long', timeStyle: 'short', timeZone: 'Asia/Kolkata' } as const;
const TIMES = {
  en: new Intl.DateTimeFormat('en-IN', TIME),
  hi: new Intl.DateTimeFormat('hi-IN', TIME),
};

const emailRequested = defineEmail<v.InferOutput<typeof EmailDetailsSchema>, EmailChangeFacts>({
  kind: EMAIL_CHANGE.email,
  when: 'A customer asked to change the email: to both addresses, with a link for each',
  details: EmailDetailsSchema,
  link: EMAIL_CHANGE,
  isUrgent: true,
  // A customer typed both addresses, and the recipient may not know the other one.
  unverified: writeTexts({
    en: ({ storeName, until }) => `Confirm the email of an account at ${storeName}
      The email of an account is to change, from or to this one. Confirm it until ${TIMES.en.format(until)}:
      [Confirm the email]
      If it was not you, do nothing.`,
    hi: ({ storeName, until }) => `${storeName} के एक अकाउंट का ईमेल पक्का करें
      एक अकाउंट का ईमेल बदलना है, इस पते से या इस पते पर। ${TIMES.hi.format(until)} तक पक्का करें:
      [ईमेल पक्का करें]
      अगर यह आपने नहीं किया, तो कुछ न करें।`,
  }),
  async find(db, customerId, { email, side }, now) {
    const recipient = await findRecipient(db, customerId);
    const change = await findEmailChange(db, customerId, now);
    // Another change may have replaced this one.
    if (!recipient || change?.email !== email) return undefined;
    return {
      ...recipient,
      // The new address may be a stranger's, so the email has no name that another customer chose.
      ...(side === 'new' && { address: email, name: '', isTypedByOthers: true }),
      linkSubjectId: `${customerId} ${side} ${email}`,
      facts: { before: recipient.address, email, until: change.expiresAt },
    };
  },
  sample: {
    before: 'asha@example.com',
    email: 'asha.rao@example.in',
    until: Date.parse('2026-01-06T10:00:00Z'),
  },
  write: writeTexts({
    en: ({ storeName, before, email, until }) => `Confirm the new email of your account at ${storeName}
      The email of the account ${before} is to become ${email}. Confirm it until ${TIMES.en.format(until)}:
      [Confirm the new email]
      Both addresses get such an email, and the address of the account changes once both have confirmed it. If it was not you, confirm nothing and choose a new password.`,
    hi: ({ storeName, before, email, until }) => `${storeName} के अपने अकाउंट का नया ईमेल पक्का करें
      अकाउंट ${before} का ईमेल अब ${email} होगा। ${TIMES.hi.format(until)} तक पक्का करें:
      [नया ईमेल पक्का करें]
      ऐसा ईमेल दोनों पतों पर गया है, और दोनों के पक्का करने पर ही अकाउंट का ईमेल पता बदलेगा। अगर यह आपने नहीं किया, तो कुछ पक्का न करें और नया पासवर्ड चुनें।`,
  }),
});

/** Goes to the old address, which counts as unverified from now on. */
const emailChanged = defineEmail<{ before: string }, object>({
  ...ACCOUNT_EMAIL,
  kind: 'emailChanged',
  when: 'The email of an account was changed: to the address that it had',
  details: v.object({ before: v.string() }),
  async find(db, customerId, { before }) {
    const recipient = await findRecipient(db, customerId);
    return recipient && { ...recipient, address: before, facts: {} };
  },
  write: writeTexts({
    en: ({ storeName }) => `The email of your account at ${storeName} was changed
      If it was not you, reply to this email at once.`,
    hi: ({ storeName }) => `${storeName} के आपके अकाउंट का ईमेल बदल गया
      अगर यह आपने नहीं किया, तो तुरंत इस ईमेल का जवाब दें।`,
  }),
});

const deletionRequested = defineEmail<object>({
  ...ACCOUNT_EMAIL,
  kind: DELETION.email,
  when: 'A customer asked to delete the account: to the customer, with the link that does it',
  link: DELETION,
  write: writeTexts({
    en: ({ storeName }) => `Delete your account at ${storeName}?
      You asked to delete your account. This link works once, for ${DELETION.minutes} minutes:
      [Delete my account]
      Orders that are on their way still reach you. Of all orders we keep only what tax law requires. This cannot be undone.
      If it was not you, do nothing and choose a new password: somebody knows yours.`,
    hi: ({ storeName }) => `${storeName} का अपना अकाउंट हटाएँ?
      आपने अपना अकाउंट हटाने को कहा है। यह लिंक एक बार, ${DELETION.minutes} मिनट तक काम करता है:
      [मेरा अकाउंट हटाएँ]
      रास्ते में जो ऑर्डर हैं, वे आप तक पहुँचेंगे। ऑर्डर की केवल वही जानकारी रहती है जो कर कानून के लिए ज़रूरी है। यह वापस नहीं हो सकता।
      अगर यह आपने नहीं कहा, तो कुछ न हटाएँ और नया पासवर्ड चुनें: कोई आपका पासवर्ड जानता है।`,
  }),
});

/** Sent after the account was erased, so the address is in its details. */
const RecipientSchema = v.object({ address: v.string(), name: v.string(), language: v.picklist(LANGUAGES) });

const deleted = defineEmail<v.InferOutput<typeof RecipientSchema>, object>({
  ...ACCOUNT_EMAIL,
  kind: 'accountDeleted',
  when: 'An account was deleted: to its former customer',
  details: RecipientSchema,
  erasesAddress: true,
  find: async (_db, _about, recipient) => ({ ...recipient, facts: {} }),
  write: writeTexts({
    en: ({ storeName }) => `Your account at ${storeName} is deleted
      Your account is deleted, with everything that we may delete. This is our last email about it.
      If an order is on its way, it still reaches you. Track it with its number and the phone number you gave.`,
    hi: ({ storeName }) => `${storeName} का आपका अकाउंट हटा दिया गया
      आपका अकाउंट और वह सब, जो हम हटा सकते हैं, हटा दिया गया है। इसके बारे में यह हमारा अंतिम ईमेल है।
      अगर कोई ऑर्डर रास्ते में है, तो वह आप तक पहुँचेगा। उसे उसके नंबर और अपने फ़ोन नंबर से ट्रैक करें।`,
  }),
});

export const ACCOUNT_EMAILS = {
  reset,
  changed,
  confirmation,
  emailRequested,
  emailChanged,
  deletionRequested,
  deleted,
};
