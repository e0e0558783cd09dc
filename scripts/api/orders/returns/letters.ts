import * as v from 'valibot';
import type { Reader } from '#scripts/api/db/database.ts';
import { defineLetter, type Found, paragraphs } from '#scripts/api/letters/letter.ts';
import { shortId } from '#scripts/api/office/paths.ts';
import { findOrderFacts, ORDER_SAMPLE, type OrderFacts, seeOrder } from '#scripts/api/orders/letters.ts';

/** What the shop answers stands with the letter, because another return may follow before it is sent. */
const AnswerSchema = v.object({ answer: v.optional(v.string(), '') });

type Answer = v.InferOutput<typeof AnswerSchema>;

interface AnswerFacts extends OrderFacts {
  readonly answer: string;
}

async function findAnswer(
  db: Reader,
  orderId: string,
  { answer }: Answer,
): Promise<Found<AnswerFacts> | undefined> {
  const found = await findOrderFacts(db, orderId);
  return found && { ...found, facts: { ...found.facts, answer } };
}

const sample = (answer: string): AnswerFacts => ({ ...ORDER_SAMPLE, answer });

/** None of these holds text of the customer: the answers are the shop's. */
const asked = defineLetter<OrderFacts>({
  kind: 'returnAsked',
  unproven: 'same',
  when: 'A return was asked for: to the shopper',
  find: findOrderFacts,
  sample: ORDER_SAMPLE,
  write: {
    en: (facts, place) => ({
      subject: `We have your request to return goods of order ${shortId(facts.order.id)}`,
      blocks: [
        { text: 'We look at it and write to you. Please send nothing back before that.' },
        seeOrder('en', place, facts),
      ],
    }),
    hi: (facts, place) => ({
      subject: `ऑर्डर ${shortId(facts.order.id)} का सामान लौटाने का आपका अनुरोध हमें मिल गया`,
      blocks: [{ text: 'हम इसे देखकर आपको लिखेंगे। कृपया उससे पहले कुछ वापस न भेजें।' }, seeOrder('hi', place, facts)],
    }),
  },
});

const accepted = defineLetter<Answer, AnswerFacts>({
  kind: 'returnAccepted',
  unproven: 'same',
  when: 'A return was accepted: to the shopper, who is to send the goods back',
  details: AnswerSchema,
  find: findAnswer,
  sample: sample('Please use the box in which they came.'),
  write: {
    en: (facts, place) => ({
      subject: `You may return goods of order ${shortId(facts.order.id)}`,
      blocks: [
        { text: 'Please send the goods back. We write again when the money is on its way.' },
        ...paragraphs(facts.answer),
        seeOrder('en', place, facts),
      ],
    }),
    hi: (facts, place) => ({
      subject: `आप ऑर्डर ${shortId(facts.order.id)} का सामान लौटा सकते हैं`,
      blocks: [
        { text: 'कृपया सामान वापस भेजें। पैसे भेजते ही हम फिर लिखेंगे।' },
        ...paragraphs(facts.answer),
        seeOrder('hi', place, facts),
      ],
    }),
  },
});

const kept = defineLetter<Answer, AnswerFacts>({
  kind: 'returnKept',
  unproven: 'same',
  when: 'A return was accepted: to the shopper, who may keep the goods',
  details: AnswerSchema,
  find: findAnswer,
  sample: sample('Please use the box in which they came.'),
  write: {
    en: (facts, place) => ({
      subject: `You may keep the goods of order ${shortId(facts.order.id)}`,
      blocks: [
        {
          text: 'We accept your return. You need not send anything back. We write again when the money is on its way.',
        },
        ...paragraphs(facts.answer),
        seeOrder('en', place, facts),
      ],
    }),
    hi: (facts, place) => ({
      subject: `आप ऑर्डर ${shortId(facts.order.id)} का सामान अपने पास रख सकते हैं`,
      blocks: [
        { text: 'आपका अनुरोध स्वीकार है। कुछ वापस भेजने की ज़रूरत नहीं। पैसे भेजते ही हम फिर लिखेंगे।' },
        ...paragraphs(facts.answer),
        seeOrder('hi', place, facts),
      ],
    }),
  },
});

const refused = defineLetter<Answer, AnswerFacts>({
  kind: 'returnRefused',
  unproven: 'same',
  when: 'A return was refused: to the shopper, with the reason',
  details: AnswerSchema,
  find: findAnswer,
  sample: sample('The fruit was eaten.'),
  write: {
    en: (facts, place) => ({
      subject: `We cannot take back the goods of order ${shortId(facts.order.id)}`,
      blocks: [...paragraphs(facts.answer), seeOrder('en', place, facts)],
    }),
    hi: (facts, place) => ({
      subject: `ऑर्डर ${shortId(facts.order.id)} का सामान हम वापस नहीं ले सकते`,
      blocks: [...paragraphs(facts.answer), seeOrder('hi', place, facts)],
    }),
  },
});

/** What the shopper is written about a return. When its money goes back, the letter about refunds says it. */
export const RETURN_LETTERS = { asked, accepted, kept, refused };
