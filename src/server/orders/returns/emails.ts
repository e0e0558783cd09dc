import * as v from 'valibot';
import type { Language } from '#domain/language.ts';
import { defineEmail, paragraphs } from '#server/email/email.ts';
import { findOrderFacts, ORDER_SAMPLE, type OrderFacts, seeOrder, subjectOf } from '#server/orders/emails.ts';

/** Stored with the email, because another return may follow before it is sent. */
const AnswerSchema = v.object({ answer: v.optional(v.string(), '') });

type Answer = v.InferOutput<typeof AnswerSchema>;

type Words = readonly [subject: string, text: string];

/** An email about a return. None contains text of the customer. @param answer the sample of the shop's answer */
const defineReturnEmail = (kind: string, when: string, answer: string, words: Record<Language, Words>) =>
  defineEmail<Answer, OrderFacts & Answer>({
    kind,
    when,
    unverified: 'same',
    details: AnswerSchema,
    async find(db, orderId, details, now) {
      const found = await findOrderFacts(db, orderId, now);
      return found && { ...found, facts: { ...found.facts, ...details } };
    },
    sample: { ...ORDER_SAMPLE, answer },
    write: (language, facts, values) => ({
      subject: subjectOf(words[language], facts),
      blocks: [
        ...paragraphs(words[language][1]),
        ...paragraphs(facts.answer),
        ...seeOrder(language, facts, values),
      ],
    }),
  });

/** The emails to the customer about a return. Its refund has an email of its own. */
export const RETURN_EMAILS = {
  requested: defineReturnEmail('returnRequested', 'A return was requested: to the shopper', '', {
    en: [
      'We have your request to return goods of order {order}',
      'We look at it and write to you. Please send nothing back before that.',
    ],
    hi: [
      'ऑर्डर {order} का सामान लौटाने का आपका अनुरोध हमें मिल गया',
      'हम इसे देखकर आपको लिखेंगे। कृपया उससे पहले कुछ वापस न भेजें।',
    ],
  }),
  accepted: defineReturnEmail(
    'returnAccepted',
    'A return was accepted: to the shopper, with what to do with the goods',
    'Please send them to our shop, in the box in which they came.',
    {
      en: ['We accept the return of goods of order {order}', 'We write again when the money is on its way.'],
      hi: ['ऑर्डर {order} के सामान की वापसी स्वीकार है', 'पैसे भेजते ही हम फिर लिखेंगे।'],
    },
  ),
  refused: defineReturnEmail(
    'returnRefused',
    'A return was refused: to the shopper, with the reason',
    'The fruit was eaten.',
    {
      en: ['We cannot take back the goods of order {order}', ''],
      hi: ['ऑर्डर {order} का सामान हम वापस नहीं ले सकते', ''],
    },
  ),
};
