import { defineLetter } from '#scripts/api/letters/letter.ts';
import { shortId } from '#scripts/api/office/paths.ts';
import { findOrderFacts, ORDER_SAMPLE, type OrderFacts, seeOrder } from '#scripts/api/orders/letters.ts';

/** The newest return of the order: letters are sent within seconds of what they tell. */
const answerOf = ({ order: { returns = [] } }: OrderFacts): string => returns.at(-1)?.answer ?? '';

const LINES = [{ line: 0, quantity: 1 }];

const sample = (state: 'asked' | 'accepted' | 'refused', answer: string): OrderFacts => ({
  ...ORDER_SAMPLE,
  order: {
    ...ORDER_SAMPLE.order,
    returns: [{ state, lines: LINES, reason: 'It was not ripe.', answer }],
  },
});

const asked = defineLetter<OrderFacts>({
  kind: 'returnAsked',
  when: 'A return was asked for: to the shopper',
  find: findOrderFacts,
  sample: sample('asked', ''),
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

const answerBlock = (facts: OrderFacts) => (answerOf(facts) ? [{ text: answerOf(facts) }] : []);

const accepted = defineLetter<OrderFacts>({
  kind: 'returnAccepted',
  when: 'A return was accepted: to the shopper, who is to send the goods back',
  find: findOrderFacts,
  sample: sample('accepted', 'Please use the box in which they came.'),
  write: {
    en: (facts, place) => ({
      subject: `You may return goods of order ${shortId(facts.order.id)}`,
      blocks: [
        { text: 'Please send the goods back. We write again when the money is on its way.' },
        ...answerBlock(facts),
        seeOrder('en', place, facts),
      ],
    }),
    hi: (facts, place) => ({
      subject: `आप ऑर्डर ${shortId(facts.order.id)} का सामान लौटा सकते हैं`,
      blocks: [
        { text: 'कृपया सामान वापस भेजें। पैसे भेजते ही हम फिर लिखेंगे।' },
        ...answerBlock(facts),
        seeOrder('hi', place, facts),
      ],
    }),
  },
});

const kept = defineLetter<OrderFacts>({
  kind: 'returnKept',
  when: 'A return was accepted: to the shopper, who may keep the goods',
  find: findOrderFacts,
  sample: sample('accepted', 'Please use the box in which they came.'),
  write: {
    en: (facts, place) => ({
      subject: `You may keep the goods of order ${shortId(facts.order.id)}`,
      blocks: [
        {
          text: 'We accept your return. You need not send anything back. We write again when the money is on its way.',
        },
        ...answerBlock(facts),
        seeOrder('en', place, facts),
      ],
    }),
    hi: (facts, place) => ({
      subject: `आप ऑर्डर ${shortId(facts.order.id)} का सामान अपने पास रख सकते हैं`,
      blocks: [
        { text: 'आपका अनुरोध स्वीकार है। कुछ वापस भेजने की ज़रूरत नहीं। पैसे भेजते ही हम फिर लिखेंगे।' },
        ...answerBlock(facts),
        seeOrder('hi', place, facts),
      ],
    }),
  },
});

const refused = defineLetter<OrderFacts>({
  kind: 'returnRefused',
  when: 'A return was refused: to the shopper, with the reason',
  find: findOrderFacts,
  sample: sample('refused', 'The fruit was eaten.'),
  write: {
    en: (facts, place) => ({
      subject: `We cannot take back the goods of order ${shortId(facts.order.id)}`,
      blocks: [{ text: answerOf(facts) }, seeOrder('en', place, facts)],
    }),
    hi: (facts, place) => ({
      subject: `ऑर्डर ${shortId(facts.order.id)} का सामान हम वापस नहीं ले सकते`,
      blocks: [{ text: answerOf(facts) }, seeOrder('hi', place, facts)],
    }),
  },
});

/** What the shopper is written about a return. When its money goes back, the letter about refunds says it. */
export const RETURN_LETTERS = { asked, accepted, kept, refused };
