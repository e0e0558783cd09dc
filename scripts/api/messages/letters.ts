import { languageOf } from '#domain/language.ts';
import type { Reader } from '#scripts/api/db/database.ts';
import { defineLetter, type Found, paragraphs } from '#scripts/api/letters/letter.ts';
import { findMessage, type Message } from './stored-messages.ts';

type Facts = Pick<Message, 'ticket' | 'subject' | 'message' | 'answer'>;

async function findFacts(db: Reader, ticket: string): Promise<Found<Facts> | undefined> {
  const message = await findMessage(db, ticket);
  if (!message) return undefined;
  const { email, name, language } = message;
  return { address: email, name, language: languageOf(language), facts: message };
}

const SAMPLE: Facts = {
  ticket: 'K7QM-2XPD',
  subject: 'An order',
  message: 'Where is my order?\nIt should have come yesterday.',
  answer: 'It left our store this morning, and reaches you tomorrow.',
};

/** It repeats nothing that was typed, the name included: anybody may have typed it, with somebody else's address. */
const received = defineLetter<Facts>({
  kind: 'messageReceived',
  when: 'Somebody wrote by the contact form: to the sender, with the ticket number',
  async find(db, ticket) {
    const found = await findFacts(db, ticket);
    return found && { ...found, name: '' };
  },
  sample: SAMPLE,
  write: {
    en: ({ ticket }, { storeName }) => ({
      subject: `We have your message, ticket ${ticket}`,
      blocks: [
        {
          text: `Thank you for writing to ${storeName}. The number of your message is ${ticket}. We answer by email to this address.`,
        },
        { text: 'If it was not you who wrote, you need do nothing.' },
      ],
    }),
    hi: ({ ticket }, { storeName }) => ({
      subject: `आपका संदेश हमें मिल गया, टिकट ${ticket}`,
      blocks: [
        {
          text: `${storeName} को लिखने के लिए धन्यवाद। आपके संदेश का नंबर ${ticket} है। हम इसी पते पर ईमेल से जवाब देंगे।`,
        },
        { text: 'अगर यह आपने नहीं लिखा, तो कुछ न करें।' },
      ],
    }),
  },
});

const answered = defineLetter<Facts>({
  kind: 'messageAnswered',
  when: 'Somebody of the staff answered a message: to its sender',
  find: findFacts,
  sample: SAMPLE,
  write: {
    en: ({ ticket, subject, message, answer }) => ({
      subject: `Our answer to your message, ticket ${ticket}`,
      blocks: [...paragraphs(answer), { text: `You wrote: ${subject}` }, ...paragraphs(message)],
    }),
    hi: ({ ticket, subject, message, answer }) => ({
      subject: `आपके संदेश का हमारा जवाब, टिकट ${ticket}`,
      blocks: [...paragraphs(answer), { text: `आपने लिखा था: ${subject}` }, ...paragraphs(message)],
    }),
  },
});

/** What somebody is written who has written to the shop. */
export const MESSAGE_LETTERS = { received, answered };
