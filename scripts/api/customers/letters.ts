import { defineLetter, type Recipient } from '#scripts/api/letters/letter.ts';
import { SITE_PATHS } from '#scripts/api/letters/site-paths.ts';
import { findCredentials, findRecipient } from './stored-customers.ts';

/** By which a customer chooses a new password: once, for 30 minutes, on any device (faults 106). */
export const RESET = { purpose: 'resetPassword', path: SITE_PATHS.resetPassword, minutes: 30 } as const;

type Facts = Pick<Recipient, 'address'>;

/** It is about an email. Whether anybody has it is only looked up when the letter is sent, so that no answer tells it. */
const reset = defineLetter<Facts>({
  kind: 'passwordReset',
  when: 'Somebody asked for a new password: to the customer, if there is one',
  link: RESET,
  async find(db, email) {
    const user = await findCredentials(db, email);
    const recipient = user && (await findRecipient(db, user.id));
    return recipient && { ...recipient, linkAbout: user.id, facts: { address: email } };
  },
  sample: { address: 'asha@example.com' },
  write: {
    en: ({ address }, { storeName, link }) => ({
      subject: `Choose a new password for ${storeName}`,
      blocks: [
        {
          text: `Somebody, hopefully you, asked for a new password for ${address}. This link works once, for ${RESET.minutes} minutes:`,
        },
        { button: 'Choose a new password', address: link },
        { text: 'If it was not you, do nothing: your password stays as it is.' },
      ],
    }),
    hi: ({ address }, { storeName, link }) => ({
      subject: `${storeName} के लिए नया पासवर्ड चुनें`,
      blocks: [
        {
          text: `किसी ने, शायद आपने, ${address} के लिए नया पासवर्ड माँगा है। यह लिंक एक बार, ${RESET.minutes} मिनट तक काम करता है:`,
        },
        { button: 'नया पासवर्ड चुनें', address: link },
        { text: 'अगर यह आपने नहीं माँगा, तो कुछ न करें: आपका पासवर्ड वही रहेगा।' },
      ],
    }),
  },
});

const changed = defineLetter<Facts>({
  kind: 'passwordChanged',
  when: 'A password was changed: to the customer',
  async find(db, userId) {
    const recipient = await findRecipient(db, userId);
    return recipient && { ...recipient, facts: recipient };
  },
  sample: { address: 'asha@example.com' },
  write: {
    en: ({ address }, { site, storeName }) => ({
      subject: `Your password for ${storeName} was changed`,
      blocks: [
        {
          text: `The password for ${address} is new, and you are signed out on every device. Sign in again with the new one.`,
        },
        { text: 'If it was not you, choose another password at once, and answer this letter:' },
        { button: 'Choose a new password', address: `${site}${SITE_PATHS.forgotPassword}` },
      ],
    }),
    hi: ({ address }, { site, storeName }) => ({
      subject: `${storeName} का आपका पासवर्ड बदल गया`,
      blocks: [
        {
          text: `${address} का पासवर्ड बदल गया है, और आप हर डिवाइस पर साइन आउट हो गए हैं। नए पासवर्ड से फिर साइन इन करें।`,
        },
        { text: 'अगर यह आपने नहीं किया, तो तुरंत दूसरा पासवर्ड चुनें और इस पत्र का जवाब दें:' },
        { button: 'नया पासवर्ड चुनें', address: `${site}${SITE_PATHS.forgotPassword}` },
      ],
    }),
  },
});

/** What a customer is written about the account. */
export const ACCOUNT_LETTERS = { reset, changed };
