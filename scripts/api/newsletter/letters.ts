import { type Language, languageOf } from '#domain/language.ts';
import type { Reader } from '#scripts/api/db/database.ts';
import { defineLetter, type Place } from '#scripts/api/letters/letter.ts';
import { CONFIRM } from './confirm-link.ts';
import { leaveAddress } from './leave-link.ts';
import { findSubscriber, isSubscribed, type Subscriber } from './stored-subscribers.ts';

type Facts = Pick<Subscriber, 'email' | 'leaveToken'>;

const SAMPLE: Facts = { email: 'asha@example.com', leaveToken: '••••••••' };

async function find(db: Reader, email: string, isWanted: (subscriber: Subscriber) => boolean) {
  const facts = await findSubscriber(db, email);
  if (!facts || !isWanted(facts)) return undefined;
  const language: Language = languageOf(facts.language);
  return { address: email, name: '', language, facts };
}

const leave = ({ leaveToken }: Facts, { api }: Place): string => leaveAddress(api, leaveToken);

/** The same letter goes to an address that gets the newsletter already: confirming again changes nothing. */
const asked = defineLetter<Facts>({
  kind: CONFIRM.letter,
  when: 'Somebody asked for the newsletter: to the address, with the link that confirms it',
  link: CONFIRM,
  // Nobody who has left since needs to confirm.
  find: (db, email) => find(db, email, ({ leftAt, askedAt }) => leftAt === null || leftAt <= askedAt),
  sample: SAMPLE,
  write: {
    en: (facts, place) => ({
      subject: `Do you want the newsletter of ${place.storeName}?`,
      leave: leave(facts, place),
      blocks: [
        {
          text: `Somebody, hopefully you, asked for our newsletter to be sent to ${facts.email}. Confirm it within a week:`,
        },
        { button: 'Yes, I want the newsletter', address: place.link },
        { text: 'If it was not you, do nothing: without your confirmation you get no newsletter.' },
      ],
    }),
    hi: (facts, place) => ({
      subject: `क्या आप ${place.storeName} का न्यूज़लेटर चाहते हैं?`,
      leave: leave(facts, place),
      blocks: [
        {
          text: `किसी ने, शायद आपने, हमारा न्यूज़लेटर ${facts.email} पर मँगाया है। एक हफ़्ते के भीतर पक्का करें:`,
        },
        { button: 'हाँ, मुझे न्यूज़लेटर चाहिए', address: place.link },
        { text: 'अगर यह आपने नहीं किया, तो कुछ न करें: आपके पक्का किए बिना कोई न्यूज़लेटर नहीं आएगा।' },
      ],
    }),
  },
});

const welcome = defineLetter<Facts>({
  kind: 'newsletterWelcome',
  when: 'An address was confirmed for the newsletter: to the address, with the link by which it leaves',
  find: (db, email) => find(db, email, isSubscribed),
  sample: SAMPLE,
  write: {
    en: (facts, place) => ({
      subject: `You are subscribed to the newsletter of ${place.storeName}`,
      leave: leave(facts, place),
      blocks: [
        {
          text: `Thank you. Our newsletter comes to ${facts.email} from now on. You can leave it at any time:`,
        },
        { button: 'Leave the newsletter', address: leave(facts, place) },
      ],
    }),
    hi: (facts, place) => ({
      subject: `${place.storeName} का न्यूज़लेटर अब आपको मिलेगा`,
      leave: leave(facts, place),
      blocks: [
        {
          text: `धन्यवाद। हमारा न्यूज़लेटर अब ${facts.email} पर आएगा। आप इसे कभी भी बंद कर सकते हैं:`,
        },
        { button: 'न्यूज़लेटर बंद करें', address: leave(facts, place) },
      ],
    }),
  },
});

/** What an address is written about the newsletter. The owner sends the newsletter itself, by a program of their own. */
export const NEWSLETTER_LETTERS = { asked, welcome };
