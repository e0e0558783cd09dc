import type { Language } from '#domain/language.ts';
import { formatRupees } from '#domain/money.ts';
import { findRecipient } from '#scripts/api/customers/stored-customers.ts';
import type { Reader } from '#scripts/api/db/database.ts';
import { type Block, defineLetter, type Found, type Place } from '#scripts/api/letters/letter.ts';
import { SITE_PATHS } from '#scripts/api/letters/site-paths.ts';
import { shortId } from '#scripts/api/office/paths.ts';
import type { SentOrder } from './schema.ts';
import { findOrder, sentOrders } from './stored-orders.ts';

/** What the letters about an order say of it, as it is when they are sent. */
export interface OrderFacts {
  readonly order: SentOrder;
  readonly tracking: string;
}

export async function findOrderFacts(db: Reader, id: string): Promise<Found<OrderFacts> | undefined> {
  const stored = await findOrder(db, id);
  const recipient = stored && (await findRecipient(db, stored.userId, stored.language));
  if (!recipient) return undefined;
  const [order] = await sentOrders(db, [stored]);
  const { carrier = '', number = '' } = order?.tracking ?? {};
  return order && { ...recipient, facts: { order, tracking: `${carrier} ${number}`.trim() } };
}

export const ORDER_SAMPLE: OrderFacts = {
  order: {
    id: '5f0e1c2a-0000-4000-8000-000000000000',
    status: 0,
    createdAt: '2026-01-05T10:00:00.000Z',
    items: [
      { id: 'mango', productTitle: 'Alphonso Mango, box of 6', quantity: 2, price: 899 },
      { id: 'pineapple', productTitle: 'Pineapple', quantity: 1, price: 99.5 },
    ],
    shippingAddress: {
      fullName: 'Asha Rao',
      address: '12 MG Road',
      city: 'Pune',
      state: 'Maharashtra',
      postalCode: '411001',
      phone: '+91 98765 43210',
    },
    amounts: [{ name: 'Subtotal', amount: 1_897.5 }],
    total: 1_897.5,
    events: [],
  },
  tracking: 'AB123456789IN',
};

const WORDS = {
  en: { total: 'Total', to: 'Delivery to', track: 'See your order', pay: 'Pay now' },
  hi: { total: 'कुल', to: 'डिलीवरी का पता', track: 'अपना ऑर्डर देखें', pay: 'अभी भुगतान करें' },
} as const satisfies Record<Language, object>;

const itemRows = ({ items }: SentOrder) =>
  items.map(({ productTitle, quantity, price }): [string, string] => [
    `${quantity} × ${productTitle}`,
    formatRupees(price * quantity),
  ]);

/** The lines of an order with what it comes to, and where it goes. */
function orderBlocks(language: Language, { order }: OrderFacts): Block[] {
  const { total, to } = WORDS[language];
  const { fullName, address, city, state, postalCode } = order.shippingAddress;
  const extra = order.amounts
    .slice(1)
    .map(({ name, amount }): [string, string] => [name, formatRupees(amount)]);
  return [
    { rows: [...itemRows(order), ...extra, [total, formatRupees(order.total)]], hasTotal: true },
    { text: `${to}: ${fullName}, ${address}, ${city}, ${state} ${postalCode}` },
  ];
}

export const seeOrder = (language: Language, { site }: Place, { order }: OrderFacts): Block => ({
  button: WORDS[language].track,
  address: `${site}${SITE_PATHS.order(order.id)}`,
});

const placed = defineLetter<OrderFacts>({
  kind: 'orderPlaced',
  when: 'An order was placed: to the shopper',
  find: findOrderFacts,
  sample: ORDER_SAMPLE,
  write: {
    en: (facts, place) => ({
      subject: `We have your order ${shortId(facts.order.id)}`,
      blocks: [
        { text: 'Thank you. This is what you ordered:' },
        ...orderBlocks('en', facts),
        { text: 'We pack it as soon as it is paid. If you have not paid yet:' },
        { button: WORDS.en.pay, address: `${place.site}${SITE_PATHS.payment(facts.order.id)}` },
      ],
    }),
    hi: (facts, place) => ({
      subject: `आपका ऑर्डर ${shortId(facts.order.id)} हमें मिल गया`,
      blocks: [
        { text: 'धन्यवाद। आपने यह ऑर्डर किया है:' },
        ...orderBlocks('hi', facts),
        { text: 'भुगतान होते ही हम इसे पैक करेंगे। अगर आपने अभी भुगतान नहीं किया है:' },
        { button: WORDS.hi.pay, address: `${place.site}${SITE_PATHS.payment(facts.order.id)}` },
      ],
    }),
  },
});

const shipped = defineLetter<OrderFacts>({
  kind: 'orderShipped',
  when: 'An order was shipped: to the shopper, with the tracking number',
  find: findOrderFacts,
  sample: ORDER_SAMPLE,
  write: {
    en: (facts, place) => ({
      subject: `Your order ${shortId(facts.order.id)} is on its way`,
      blocks: [
        { text: 'We have handed your parcel to the carrier.' },
        ...(facts.tracking ? [{ text: `Tracking number: ${facts.tracking}` }] : []),
        ...orderBlocks('en', facts),
        seeOrder('en', place, facts),
      ],
    }),
    hi: (facts, place) => ({
      subject: `आपका ऑर्डर ${shortId(facts.order.id)} रवाना हो गया`,
      blocks: [
        { text: 'हमने आपका पार्सल कूरियर को दे दिया है।' },
        ...(facts.tracking ? [{ text: `ट्रैकिंग नंबर: ${facts.tracking}` }] : []),
        ...orderBlocks('hi', facts),
        seeOrder('hi', place, facts),
      ],
    }),
  },
});

const delivered = defineLetter<OrderFacts>({
  kind: 'orderDelivered',
  when: 'An order was delivered: to the shopper',
  find: findOrderFacts,
  sample: ORDER_SAMPLE,
  write: {
    en: (facts, place) => ({
      subject: `Your order ${shortId(facts.order.id)} was delivered`,
      blocks: [
        {
          text: 'The carrier says that your parcel has arrived. If it has not, or something is wrong, answer this letter.',
        },
        ...orderBlocks('en', facts),
        seeOrder('en', place, facts),
      ],
    }),
    hi: (facts, place) => ({
      subject: `आपका ऑर्डर ${shortId(facts.order.id)} पहुँच गया`,
      blocks: [
        { text: 'कूरियर के अनुसार आपका पार्सल पहुँच गया है। अगर नहीं मिला या कुछ ठीक नहीं है, तो इस पत्र का जवाब दें।' },
        ...orderBlocks('hi', facts),
        seeOrder('hi', place, facts),
      ],
    }),
  },
});

const cancelled = defineLetter<OrderFacts>({
  kind: 'orderCancelled',
  when: 'An order was cancelled: to the shopper, with what happens to the money',
  find: findOrderFacts,
  sample: {
    ...ORDER_SAMPLE,
    order: { ...ORDER_SAMPLE.order, refunds: [{ amount: 1_897.5, state: 'refund_due', at: '' }] },
  },
  write: {
    en: (facts, place) => ({
      subject: `Your order ${shortId(facts.order.id)} was cancelled`,
      blocks: [
        {
          text: facts.order.refunds
            ? `We return what you paid: ${formatRupees(backOf(facts))}. We write again when it is on its way.`
            : 'Nothing was paid, so there is nothing to return.',
        },
        ...orderBlocks('en', facts),
        seeOrder('en', place, facts),
      ],
    }),
    hi: (facts, place) => ({
      subject: `आपका ऑर्डर ${shortId(facts.order.id)} रद्द कर दिया गया`,
      blocks: [
        {
          text: facts.order.refunds
            ? `हम आपका भुगतान लौटा रहे हैं: ${formatRupees(backOf(facts))}। पैसे भेजते ही हम फिर लिखेंगे।`
            : 'कोई भुगतान नहीं हुआ था, इसलिए लौटाने को कुछ नहीं है।',
        },
        ...orderBlocks('hi', facts),
        seeOrder('hi', place, facts),
      ],
    }),
  },
});

const backOf = ({ order: { refunds = [] } }: OrderFacts): number =>
  refunds.reduce((sum, { amount }) => sum + amount, 0);

/** What the shopper is written when an order is placed, or comes to a status. */
export const ORDER_LETTERS = { placed, shipped, delivered, cancelled };
