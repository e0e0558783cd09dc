import * as v from 'valibot';
import type { Language } from '#domain/language.ts';
import type { Reader } from '#server/db/database.ts';
import { defineEmail, type EmailData, paragraphs } from '#server/email/email.ts';
import { findOrderFacts, ORDER_SAMPLE, type OrderFacts, seeOrder } from '#server/orders/emails.ts';

/** Stored with the email, because another return may follow before it is sent. */
const AnswerSchema = v.object({ answer: v.optional(v.string(), '') });

type Answer = v.InferOutput<typeof AnswerSchema>;

interface AnswerFacts extends OrderFacts {
  readonly answer: string;
}

async function findAnswer(
  db: Reader,
  orderId: string,
  { answer }: Answer,
): Promise<EmailData<AnswerFacts> | undefined> {
  const found = await findOrderFacts(db, orderId);
  return found && { ...found, facts: { ...found.facts, answer } };
}

interface Words {
  readonly subject: (order: string) => string;
  readonly text?: string;
}

/** An email about a return. None contains text of the customer. */
function defineReturnEmail(
  kind: string,
  when: string,
  answer: string,
  words: Readonly<Record<Language, Words>>,
) {
  return defineEmail<Answer, AnswerFacts>({
    kind,
    when,
    unverified: 'same',
    details: AnswerSchema,
    find: findAnswer,
    sample: { ...ORDER_SAMPLE, answer },
    write: (language, facts, values) => {
      const { subject, text = '' } = words[language];
      return {
        subject: subject(facts.order.number),
        blocks: [...paragraphs(text), ...paragraphs(facts.answer), ...seeOrder(language, facts, values)],
      };
    },
  });
}

const requested = defineReturnEmail('returnRequested', 'A return was requested: to the shopper', '', {
  en: {
    subject: (order) => `We have your request to return goods of order ${order}`,
    text: 'We look at it and write to you. Please send nothing back before that.',
  },
  hi: {
    subject: (order) => `ऑर्डर ${order} का सामान लौटाने का आपका अनुरोध हमें मिल गया`,
    text: 'हम इसे देखकर आपको लिखेंगे। कृपया उससे पहले कुछ वापस न भेजें।',
  },
});

const BOX = 'Please use the box in which they came.';

const accepted = defineReturnEmail(
  'returnAccepted',
  'A return was accepted: to the shopper, who is to send the goods back',
  BOX,
  {
    en: {
      subject: (order) => `You may return goods of order ${order}`,
      text: 'Please send the goods back. We write again when the money is on its way.',
    },
    hi: {
      subject: (order) => `आप ऑर्डर ${order} का सामान लौटा सकते हैं`,
      text: 'कृपया सामान वापस भेजें। पैसे भेजते ही हम फिर लिखेंगे।',
    },
  },
);

const kept = defineReturnEmail(
  'returnKept',
  'A return was accepted: to the shopper, who may keep the goods',
  BOX,
  {
    en: {
      subject: (order) => `You may keep the goods of order ${order}`,
      text: 'We accept your return. You need not send anything back. We write again when the money is on its way.',
    },
    hi: {
      subject: (order) => `आप ऑर्डर ${order} का सामान अपने पास रख सकते हैं`,
      text: 'आपका अनुरोध स्वीकार है। कुछ वापस भेजने की ज़रूरत नहीं। पैसे भेजते ही हम फिर लिखेंगे।',
    },
  },
);

const refused = defineReturnEmail(
  'returnRefused',
  'A return was refused: to the shopper, with the reason',
  'The fruit was eaten.',
  {
    en: { subject: (order) => `We cannot take back the goods of order ${order}` },
    hi: { subject: (order) => `ऑर्डर ${order} का सामान हम वापस नहीं ले सकते` },
  },
);

/** The emails to the customer about a return. Its refund has an email of its own. */
export const RETURN_EMAILS = { requested, accepted, kept, refused };
