import * as v from 'valibot';
import { LANGUAGES } from '#domain/language.ts';
import { DELETION } from '#scripts/api/customers/account-links.ts';
import { findRecipient } from '#scripts/api/customers/stored-customers.ts';
import { defineLetter } from '#scripts/api/letters/letter.ts';

const asked = defineLetter<object>({
  kind: DELETION.letter,
  when: 'A customer asked to delete the account: to the customer, with the link that does it',
  link: DELETION,
  isUrgent: true,
  unproven: 'same',
  async find(db, userId) {
    const recipient = await findRecipient(db, userId);
    return recipient && { ...recipient, facts: {} };
  },
  sample: {},
  write: {
    en: (_facts, { storeName, link }) => ({
      subject: `Delete your account at ${storeName}?`,
      blocks: [
        {
          text: `You asked to delete your account. This link works once, for ${DELETION.minutes} minutes:`,
        },
        { button: 'Delete my account', address: link },
        {
          text: 'Orders that are on their way still reach you. Of all orders we keep only what tax law requires. This cannot be undone.',
        },
        { text: 'If it was not you, do nothing and choose a new password: somebody knows yours.' },
      ],
    }),
    hi: (_facts, { storeName, link }) => ({
      subject: `${storeName} का अपना अकाउंट हटाएँ?`,
      blocks: [
        {
          text: `आपने अपना अकाउंट हटाने को कहा है। यह लिंक एक बार, ${DELETION.minutes} मिनट तक काम करता है:`,
        },
        { button: 'मेरा अकाउंट हटाएँ', address: link },
        {
          text: 'रास्ते में जो ऑर्डर हैं, वे आप तक पहुँचेंगे। ऑर्डर की केवल वही जानकारी रहती है जो कर कानून के लिए ज़रूरी है। यह वापस नहीं हो सकता।',
        },
        { text: 'अगर यह आपने नहीं कहा, तो कुछ न हटाएँ और नया पासवर्ड चुनें: कोई आपका पासवर्ड जानता है।' },
      ],
    }),
  },
});

/** It is sent after the account is gone, so its details hold the address. */
const DetailsSchema = v.object({ address: v.string(), name: v.string(), language: v.picklist(LANGUAGES) });

const deleted = defineLetter<v.InferOutput<typeof DetailsSchema>, object>({
  kind: 'accountDeleted',
  when: 'An account was deleted: to the person whose account it was',
  details: DetailsSchema,
  forgetsAddress: true,
  isUrgent: true,
  unproven: 'same',
  find: async (_db, _about, recipient) => ({ ...recipient, facts: {} }),
  sample: {},
  write: {
    en: (_facts, { storeName }) => ({
      subject: `Your account at ${storeName} is deleted`,
      blocks: [
        {
          text: `Your account is deleted, with everything that we may delete. This is our last email about it.`,
        },
        {
          text: 'If an order is on its way, it still reaches you. Track it with its number and the phone number you gave.',
        },
      ],
    }),
    hi: (_facts, { storeName }) => ({
      subject: `${storeName} का आपका अकाउंट हटा दिया गया`,
      blocks: [
        {
          text: `आपका अकाउंट और वह सब, जो हम हटा सकते हैं, हटा दिया गया है। इसके बारे में यह हमारा अंतिम ईमेल है।`,
        },
        { text: 'अगर कोई ऑर्डर रास्ते में है, तो वह आप तक पहुँचेगा। उसे उसके नंबर और अपने फ़ोन नंबर से ट्रैक करें।' },
      ],
    }),
  },
});

/** What a customer is written about the deletion of the account. */
export const PRIVACY_LETTERS = { asked, deleted };
