import * as v from 'valibot';
import { defineLetter } from '#scripts/api/letters/letter.ts';
import { SITE_PATHS } from '#scripts/api/letters/site-paths.ts';
import { EMAIL_CHANGE, RESET } from './account-links.ts';
import { findCredentials, findRecipient } from './stored-customers.ts';

/** It is about an email. Whether anybody has it is only looked up when the letter is sent, so that no answer tells it. */
const reset = defineLetter<object>({
  kind: RESET.letter,
  when: 'Somebody asked for a new password: to the customer, if there is one',
  link: RESET,
  isUrgent: true,
  unproven: 'same',
  async find(db, email) {
    const user = await findCredentials(db, email);
    const recipient = user && (await findRecipient(db, user.id));
    // Registering proves no email. The address may be a stranger's, so no name greets it that somebody else chose.
    return recipient && { ...recipient, name: '', linkAbout: user.id, facts: {} };
  },
  sample: {},
  write: {
    en: (_facts, { storeName, link }) => ({
      subject: `Choose a new password for ${storeName}`,
      blocks: [
        {
          text: `Somebody, hopefully you, asked for a new password for your account. This link works once, for ${RESET.minutes} minutes:`,
        },
        { button: 'Choose a new password', address: link },
        { text: 'If it was not you, do nothing: your password stays as it is.' },
      ],
    }),
    hi: (_facts, { storeName, link }) => ({
      subject: `${storeName} के लिए नया पासवर्ड चुनें`,
      blocks: [
        {
          text: `किसी ने, शायद आपने, आपके अकाउंट के लिए नया पासवर्ड माँगा है। यह लिंक एक बार, ${RESET.minutes} मिनट तक काम करता है:`,
        },
        { button: 'नया पासवर्ड चुनें', address: link },
        { text: 'अगर यह आपने नहीं माँगा, तो कुछ न करें: आपका पासवर्ड वही रहेगा।' },
      ],
    }),
  },
});

const changed = defineLetter<object>({
  kind: 'passwordChanged',
  isUrgent: true,
  unproven: 'same',
  when: 'A password was changed: to the customer',
  async find(db, userId) {
    const recipient = await findRecipient(db, userId);
    return recipient && { ...recipient, facts: {} };
  },
  sample: {},
  write: {
    en: (_facts, { site, storeName }) => ({
      subject: `Your password for ${storeName} was changed`,
      blocks: [
        {
          text: `The password of your account was changed, and your other devices are signed out.`,
        },
        { text: 'If it was not you, reply to this email, and choose another password at once:' },
        { button: 'Choose a new password', address: `${site}${SITE_PATHS.forgotPassword}` },
      ],
    }),
    hi: (_facts, { site, storeName }) => ({
      subject: `${storeName} का आपका पासवर्ड बदल गया`,
      blocks: [
        {
          text: `आपके अकाउंट का पासवर्ड बदल गया है, और आपके बाकी डिवाइस साइन आउट हो गए हैं।`,
        },
        { text: 'अगर यह आपने नहीं किया, तो इस ईमेल का जवाब दें और तुरंत दूसरा पासवर्ड चुनें:' },
        { button: 'नया पासवर्ड चुनें', address: `${site}${SITE_PATHS.forgotPassword}` },
      ],
    }),
  },
});

const EmailDetailsSchema = v.object({ email: v.string(), side: v.picklist(['old', 'new']) });

interface EmailFacts {
  readonly before: string;
  readonly email: string;
}

const EMAIL_SAMPLE: EmailFacts = { before: 'asha@example.com', email: 'asha.rao@example.in' };

interface AskedFacts extends EmailFacts {
  /** Until when the change can be confirmed, in ms. */
  readonly until: number;
}

const TIME = { dateStyle: 'long', timeStyle: 'short', timeZone: 'Asia/Kolkata' } as const;
const TIMES = {
  en: new Intl.DateTimeFormat('en-IN', TIME),
  hi: new Intl.DateTimeFormat('hi-IN', TIME),
};

const UntilSchema = v.object({ until: v.number() });

/** Goes to both addresses: the account's, and the one that it is to have. */
const emailAsked = defineLetter<v.InferOutput<typeof EmailDetailsSchema>, AskedFacts>({
  kind: EMAIL_CHANGE.letter,
  when: 'A customer asked to change the email: to both addresses, with a link for each',
  details: EmailDetailsSchema,
  link: EMAIL_CHANGE,
  isUrgent: true,
  // A customer typed both addresses, and one of them is a stranger's to the recipient.
  unproven: {
    en: ({ until }, { storeName, link }) => ({
      subject: `Confirm the email of an account at ${storeName}`,
      blocks: [
        {
          text: `The email of an account is to change, from or to this one. Confirm it until ${TIMES.en.format(until)}:`,
        },
        { button: 'Confirm the email', address: link },
        { text: 'If it was not you, do nothing.' },
      ],
    }),
    hi: ({ until }, { storeName, link }) => ({
      subject: `${storeName} के एक अकाउंट का ईमेल पक्का करें`,
      blocks: [
        { text: `एक अकाउंट का ईमेल बदलना है, इस पते से या इस पते पर। ${TIMES.hi.format(until)} तक पक्का करें:` },
        { button: 'ईमेल पक्का करें', address: link },
        { text: 'अगर यह आपने नहीं किया, तो कुछ न करें।' },
      ],
    }),
  },
  async find(db, userId, { email, side }, now) {
    const recipient = await findRecipient(db, userId);
    // Another email may have been asked for since, or the time for this one is over.
    const change = await db.get(
      UntilSchema,
      'SELECT expires_at AS "until" FROM email_changes WHERE user_id = ? AND email = ? AND expires_at > ?',
      userId,
      email,
      now,
    );
    if (!recipient || !change) return undefined;
    return {
      ...recipient,
      // The new address may be a stranger's, so no name greets it that somebody else chose.
      ...(side === 'new' && { address: email, name: '', isStrangers: true }),
      linkAbout: `${userId} ${side} ${email}`,
      facts: { before: recipient.address, email, until: change.until },
    };
  },
  sample: { ...EMAIL_SAMPLE, until: Date.parse('2026-01-06T10:00:00Z') },
  write: {
    en: ({ before, email, until }, { storeName, link }) => ({
      subject: `Confirm the new email of your account at ${storeName}`,
      blocks: [
        {
          text: `The email of the account ${before} is to become ${email}. Confirm it until ${TIMES.en.format(until)}:`,
        },
        { button: 'Confirm the new email', address: link },
        {
          text: 'Both addresses get such an email, and the address of the account changes once both have confirmed it. If it was not you, confirm nothing and choose a new password.',
        },
      ],
    }),
    hi: ({ before, email, until }, { storeName, link }) => ({
      subject: `${storeName} के अपने अकाउंट का नया ईमेल पक्का करें`,
      blocks: [
        { text: `अकाउंट ${before} का ईमेल अब ${email} होगा। ${TIMES.hi.format(until)} तक पक्का करें:` },
        { button: 'नया ईमेल पक्का करें', address: link },
        {
          text: 'ऐसा ईमेल दोनों पतों पर गया है, और दोनों के पक्का करने पर ही अकाउंट का ईमेल पता बदलेगा। अगर यह आपने नहीं किया, तो कुछ पक्का न करें और नया पासवर्ड चुनें।',
        },
      ],
    }),
  },
});

/** Goes to the address that the account had, which nobody has proven any more. */
const emailChanged = defineLetter<{ before: string }, object>({
  kind: 'emailChanged',
  isUrgent: true,
  unproven: 'same',
  when: 'The email of an account was changed: to the address that it had',
  details: v.object({ before: v.string() }),
  async find(db, userId, { before }) {
    const recipient = await findRecipient(db, userId);
    return recipient && { ...recipient, address: before, facts: {} };
  },
  sample: {},
  write: {
    en: (_facts, { storeName }) => ({
      subject: `The email of your account at ${storeName} was changed`,
      blocks: [{ text: 'If it was not you, reply to this email at once.' }],
    }),
    hi: (_facts, { storeName }) => ({
      subject: `${storeName} के आपके अकाउंट का ईमेल बदल गया`,
      blocks: [{ text: 'अगर यह आपने नहीं किया, तो तुरंत इस ईमेल का जवाब दें।' }],
    }),
  },
});

/** What a customer is written about the account. */
export const ACCOUNT_LETTERS = { reset, changed, emailAsked, emailChanged };
