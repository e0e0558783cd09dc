import type { ReturnState } from '#domain/order-history.ts';
import type { RecordChange } from '#server/admin/change-log.ts';
import type { Transaction } from '#server/db/database.ts';
import { q } from '#server/db/query.ts';
import { type OutboxServices, queueEmail } from '#server/email/outbox.ts';
import { answerBlocks, defineOrderEmail, type OrderEmail, seeOrder } from '#server/fulfilment/emails.ts';
import { answerOf, STATE_LABELS, type StoredReturn } from './stored-returns.ts';

const defineReturnEmail = (kind: string, email: OrderEmail) =>
  defineOrderEmail(kind, { ...email, blocks: [answerBlocks, seeOrder], unverified: 'same' });

/** The emails to the customer about a return. Its refund has an email of its own. */
export const RETURN_EMAILS = {
  requested: defineReturnEmail('returnRequested', {
    when: 'A return was requested: to the shopper',
    texts: {
      en: ({ number }) => `We have your request to return goods of order ${number}
        We look at it and write to you. Please send nothing back before that.`,
      hi: ({ number }) => `ऑर्डर ${number} का सामान लौटाने का आपका अनुरोध हमें मिल गया
        हम इसे देखकर आपको लिखेंगे। कृपया उससे पहले कुछ वापस न भेजें।`,
    },
  }),
  accepted: defineReturnEmail('returnAccepted', {
    when: 'A return was accepted: to the shopper, with what to do with the goods',
    answer: 'Please send them to our shop, in the box in which they came.',
    texts: {
      en: ({ number }) => `We accept the return of goods of order ${number}
        We write again when your money or new goods are on their way.`,
      hi: ({ number }) => `ऑर्डर ${number} के सामान की वापसी स्वीकार है
        पैसे या नया सामान भेजते ही हम फिर लिखेंगे।`,
    },
  }),
  refused: defineReturnEmail('returnRefused', {
    when: 'A return was refused: to the shopper, with the reason',
    answer: 'The fruit was eaten.',
    texts: {
      en: ({ number }) => `We cannot take back the goods of order ${number}`,
      hi: ({ number }) => `ऑर्डर ${number} का सामान हम वापस नहीं ले सकते`,
    },
  }),
  replaced: defineReturnEmail('returnReplaced', {
    when: 'A return ended because new goods were sent: to the shopper, with their parcel',
    answer: 'Delhivery AB123456789IN',
    texts: {
      en: ({ number }) => `We have sent you new goods for order ${number}
        They replace those that you asked to return. There is nothing to pay.`,
      hi: ({ number }) => `ऑर्डर ${number} के लिए हमने नया सामान भेज दिया है
        यह उस सामान के बदले में है जिसे आप लौटाना चाहते थे। आपको कुछ नहीं देना है।`,
    },
  }),
  nothing_came: defineReturnEmail('returnNothingCame', {
    when: 'A return ended because nothing came back: to the shopper',
    texts: {
      en: ({ number }) => `Your return of goods of order ${number} is over
        Nothing has come back to us, so nothing is refunded for it. If you have sent the goods, reply to this email.`,
      hi: ({ number }) => `ऑर्डर ${number} के सामान की वापसी समाप्त हो गई
        हमारे पास कुछ वापस नहीं आया, इसलिए इसके लिए कोई रिफ़ंड नहीं होगा। अगर आपने सामान भेज दिया है, तो इस ईमेल का जवाब दें।`,
    },
  }),
  withdrawn: defineReturnEmail('returnWithdrawn', {
    when: 'A return was withdrawn: to the shopper',
    texts: {
      en: ({ number }) => `Your return of goods of order ${number} is withdrawn
        You keep the goods; please send nothing back. If you did not want that, reply to this email.`,
      hi: ({ number }) => `ऑर्डर ${number} के सामान की वापसी का अनुरोध वापस ले लिया गया
        सामान आपके पास रहेगा; कृपया कुछ वापस न भेजें। अगर आप यह नहीं चाहते थे, तो इस ईमेल का जवाब दें।`,
    },
  }),
};

interface ReturnStepRow {
  readonly from: readonly ReturnState[];
  /** What the staff choose. */
  readonly label: string;
  /** Whether the email to the customer needs a message of the staff. */
  readonly needsMessage?: true;
}

/** The steps of a return, by the state that they lead to. The email of a step is that of its name in RETURN_EMAILS. */
export const RETURN_STEPS = {
  accepted: { from: ['asked'], label: 'Accept', needsMessage: true },
  received: { from: ['accepted'], label: 'The goods have arrived' },
  replaced: { from: ['accepted', 'received'], label: 'New goods were sent instead' },
  refused: { from: ['asked', 'accepted', 'received'], label: 'Refuse', needsMessage: true },
  nothing_came: { from: ['accepted'], label: 'Nothing came' },
  withdrawn: { from: ['asked', 'accepted', 'received'], label: 'The customer withdraws it' },
} as const satisfies Readonly<Record<string, ReturnStepRow>>;

export type ReturnStep = keyof typeof RETURN_STEPS;

export const STEP_NAMES = Object.keys(RETURN_STEPS).filter(
  (name): name is ReturnStep => name in RETURN_STEPS,
);

/** The steps that are possible for a return now. */
export const stepsFrom = ({ state }: Pick<StoredReturn, 'state'>): ReturnStep[] =>
  STEP_NAMES.filter((name) => RETURN_STEPS[name].from.some((each) => each === state));

export interface GivenStep extends Partial<Pick<StoredReturn, 'answer' | 'carrier' | 'tracking'>> {
  readonly to: ReturnStep;
  readonly isBackOnSale?: boolean;
}

/** Takes a step that is possible, with its email and its log entry. The caller has locked the order. */
export async function takeReturnStep(
  transaction: Transaction,
  services: OutboxServices,
  own: StoredReturn,
  orderId: string,
  { to, answer = '', carrier = null, tracking = null, isBackOnSale }: GivenStep,
  log: RecordChange,
): Promise<void> {
  const parcel = tracking ? { carrier, tracking } : {};
  const set = { state: to, changedAt: services.clock(), ...(answer ? { answer } : {}), ...parcel };
  await transaction.run(q.updateTable('returns').set(set).where('id', '=', own.id));
  if (to !== 'received') {
    const details = { answer: answerOf({ answer, carrier, tracking }) };
    await queueEmail(transaction, services, RETURN_EMAILS[to], orderId, details);
  }
  await log({
    action: 'answered a return',
    target: ['order', orderId],
    from: { return: STATE_LABELS[own.state] },
    to: { return: STATE_LABELS[to], ...(isBackOnSale && { goods: 'back on sale' }) },
  });
}
