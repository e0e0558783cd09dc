import { CARRIERS, trackingUrl } from '#domain/carrier.ts';
import type { Language } from '#domain/language.ts';
import { formatPaise, formatRupees, toPaise } from '#domain/money.ts';
import { trackingText } from '#domain/order.ts';
import { breakdownLines, lineAmount, SUBTOTAL } from '#domain/order-amounts.ts';
import { isPayable, NEW_ORDER, STATUSES } from '#domain/order-status.ts';
import { findRecipient } from '#server/customers/stored-customers.ts';
import type { Reader } from '#server/db/database.ts';
import {
  type Block,
  type Definition,
  defineEmail,
  type EmailData,
  type EmailValues,
} from '#server/email/email.ts';
import { SITE_PATHS } from '#server/email/links.ts';
import { returnEnd } from './returns/stored-returns.ts';
import type { OrderDto } from './schema.ts';
import { findOrder, toOrderDtos } from './stored-orders.ts';

/** The order as it is when the email is sent, not when it was queued. */
export interface OrderFacts {
  readonly order: OrderDto;
}

export async function findOrderFacts(db: Reader, id: string): Promise<EmailData<OrderFacts> | undefined> {
  const stored = await findOrder(db, id);
  const recipient = stored && (await findRecipient(db, stored.customerId, stored.language));
  if (!recipient) return undefined;
  const [order] = await toOrderDtos(db, [stored]);
  return order && { ...recipient, facts: { order } };
}

export const ORDER_SAMPLE: OrderFacts = {
  order: {
    id: '5f0e1c2a-0000-4000-8000-000000000000',
    number: 'FF-1042',
    status: 0,
    createdAt: '2026-01-05T10:00:00.000Z',
    items: [
      { id: 'mango', line: '0', productTitle: 'Alphonso Mango, box of 6', quantity: 2, price: 899 },
      { id: 'pineapple', line: '1', productTitle: 'Pineapple', quantity: 1, price: 99.5 },
    ],
    extras: [{ name: 'note', label: 'Note to the courier', value: 'Ring twice' }],
    shippingAddress: {
      fullName: 'Asha Rao',
      address: '12 MG Road',
      city: 'Pune',
      state: 'Maharashtra',
      postalCode: '411001',
      phone: '+91 98765 43210',
    },
    amounts: [
      { name: SUBTOTAL, amount: 1_897.5 },
      { name: 'Shipping', amount: 0 },
    ],
    total: 1_897.5,
    tracking: {
      carrier: CARRIERS.delhivery.name,
      number: 'AB123456789IN',
      url: trackingUrl('delhivery', 'AB123456789IN'),
    },
    events: [
      { status: NEW_ORDER, at: '2026-01-05T10:00:00.000Z' },
      { status: STATUSES.processing.code, at: '2026-01-05T10:05:00.000Z' },
      { status: STATUSES.shipped.code, at: '2026-01-06T09:00:00.000Z' },
    ],
  },
};

const WORDS = {
  en: {
    amounts: {},
    total: 'Total',
    free: 'Free',
    to: 'Delivery to',
    whole: 'Order number',
    track: 'See your order',
    unpaid: 'We pack it as soon as it is paid. If you have not paid yet:',
    pay: 'Pay now',
    again: 'Order again',
    follow: 'Follow the parcel',
    number: 'Tracking number',
    until: (day: string) => `You can ask for a return until ${day}, under My Orders.`,
    steps: {
      [NEW_ORDER]: 'Ordered',
      [STATUSES.processing.code]: 'Confirmed',
      [STATUSES.shipped.code]: 'Handed to the carrier',
      [STATUSES.delivered.code]: 'Delivered',
    },
    day: new Intl.DateTimeFormat('en-IN', { dateStyle: 'long', timeZone: 'Asia/Kolkata' }),
  },
  hi: {
    /** Keys: the names in domain/order-amounts.ts. */
    amounts: { Shipping: 'डिलीवरी' },
    total: 'कुल',
    free: 'मुफ़्त',
    to: 'डिलीवरी का पता',
    whole: 'ऑर्डर नंबर',
    track: 'अपना ऑर्डर देखें',
    unpaid: 'भुगतान होते ही हम इसे पैक करेंगे। अगर आपने अभी भुगतान नहीं किया है:',
    pay: 'अभी भुगतान करें',
    again: 'फिर से ऑर्डर करें',
    follow: 'पार्सल कहाँ है, देखें',
    number: 'ट्रैकिंग नंबर',
    until: (day: string) => `${day} तक आप ‘मेरे ऑर्डर’ में वापसी का अनुरोध कर सकते हैं।`,
    steps: {
      [NEW_ORDER]: 'ऑर्डर किया',
      [STATUSES.processing.code]: 'पक्का हुआ',
      [STATUSES.shipped.code]: 'कूरियर को दिया',
      [STATUSES.delivered.code]: 'पहुँच गया',
    },
    day: new Intl.DateTimeFormat('hi-IN', { dateStyle: 'long', timeZone: 'Asia/Kolkata' }),
  },
} as const satisfies Record<Language, object>;

const wordFor = (words: Readonly<Record<string, string>>, name: string | number): string =>
  words[name] ?? String(name);

/** The amounts besides the items, as the storefront shows them. */
function amountRows(language: Language, { amounts, total }: OrderDto): [string, string][] {
  const { amounts: names, free } = WORDS[language];
  const lines = amounts.map(({ name, amount }) => ({ name, paise: toPaise(amount) }));
  return breakdownLines({ lines, total: toPaise(total) })
    .filter(({ name }) => name !== SUBTOTAL)
    .map(({ name, paise }) => [wordFor(names, name), paise === 0 ? free : formatPaise(paise)]);
}

type Blocks<Facts> = (language: Language, facts: Facts, values: EmailValues) => readonly Block[];

const stepBlocks: Blocks<OrderFacts> = (language, { order }) => [
  {
    rows: order.events.map(({ status, at }): [string, string] => [
      wordFor(WORDS[language].steps, status),
      WORDS[language].day.format(new Date(at)),
    ]),
  },
];

const trackingBlocks: Blocks<OrderFacts> = (language, { order: { tracking } }) => {
  if (!tracking) return [];
  const { follow, number } = WORDS[language];
  return [
    { text: `${number}: ${trackingText(tracking)}` },
    ...(tracking.url ? [{ button: follow, address: tracking.url }] : []),
  ];
};

const orderBlocks: Blocks<OrderFacts> = (language, { order }) => {
  const { total, to, whole } = WORDS[language];
  const { fullName, address, city, state, postalCode } = order.shippingAddress;
  const items = order.items.map((item): [string, string] => [
    `${item.quantity} × ${item.productTitle}`,
    formatPaise(lineAmount(item)),
  ]);
  return [
    { rows: [...items, ...amountRows(language, order), [total, formatRupees(order.total)]], hasTotal: true },
    { text: `${to}: ${fullName}, ${address}, ${city}, ${state} ${postalCode}` },
    ...(order.extras ?? []).map(({ label, value }) => ({ text: `${label}: ${value}` })),
    { text: `${whole}: ${order.number}` },
  ];
};

export const seeOrder: Blocks<OrderFacts> = (language, { order }, { site }) => [
  { button: WORDS[language].track, address: `${site}${SITE_PATHS.order(order.number)}` },
];

/** The subject, and the first paragraph. */
interface Words<Facts> {
  readonly subject: (order: string) => string;
  readonly text: (facts: Facts) => string;
}

interface OrderEmail<Facts> extends Pick<Definition<object, Facts>, 'kind' | 'when' | 'find' | 'sample'> {
  readonly words: Readonly<Record<Language, Words<Facts>>>;
  /** What follows the first paragraph. */
  readonly blocks: Blocks<Facts>;
  /** The button of an email to an unverified address. */
  readonly link?: Blocks<Facts>;
}

/**
 * An email about an order. An unverified address gets only the order number, the total and a link. The subject names
 * nothing but the number.
 */
function defineOrderEmail<Facts extends OrderFacts>({
  words,
  blocks,
  link = seeOrder,
  ...definition
}: OrderEmail<Facts>) {
  const write = (content: Blocks<Facts>) => (language: Language, facts: Facts, values: EmailValues) => ({
    subject: words[language].subject(facts.order.number),
    blocks: content(language, facts, values),
  });
  return defineEmail<Facts>({
    ...definition,
    write: write((language, facts, values) => [
      { text: words[language].text(facts) },
      ...blocks(language, facts, values),
    ]),
    unverified: write((language, facts, values) => [
      {
        rows: [
          [WORDS[language].whole, facts.order.number],
          [WORDS[language].total, formatRupees(facts.order.total)],
        ],
        hasTotal: true,
      },
      ...link(language, facts, values),
    ]),
  });
}

const payBlocks: Blocks<OrderFacts> = (language, facts, values) =>
  isPayable(facts.order)
    ? [
        { text: WORDS[language].unpaid },
        { button: WORDS[language].pay, address: `${values.site}${SITE_PATHS.payment(facts.order.id)}` },
      ]
    : seeOrder(language, facts, values);

/** If the order has ended meanwhile, the email about that replaces this one. */
async function findLiving(db: Reader, id: string): Promise<EmailData<OrderFacts> | undefined> {
  const found = await findOrderFacts(db, id);
  return found?.facts.order.status === STATUSES.cancelled.code ? undefined : found;
}

/** The order confirmation. It links to the payment while the order is unpaid. */
const placed = defineOrderEmail<OrderFacts>({
  kind: 'orderPlaced',
  when: 'An order was placed: to the shopper',
  find: findLiving,
  sample: ORDER_SAMPLE,
  words: {
    en: {
      subject: (order) => `We have your order ${order}`,
      text: () => 'Thank you. This is what you ordered:',
    },
    hi: {
      subject: (order) => `आपका ऑर्डर ${order} हमें मिल गया`,
      text: () => 'धन्यवाद। आपने यह ऑर्डर किया है:',
    },
  },
  blocks: (...order) => [...orderBlocks(...order), ...payBlocks(...order)],
});

const shipped = defineOrderEmail<OrderFacts>({
  kind: 'orderShipped',
  when: 'An order was shipped: to the shopper, with the tracking number',
  find: findLiving,
  sample: ORDER_SAMPLE,
  words: {
    en: {
      subject: (order) => `Your order ${order} is on its way`,
      text: () => 'We have handed your parcel to the carrier, who will bring it to you.',
    },
    hi: {
      subject: (order) => `आपका ऑर्डर ${order} रवाना हो गया`,
      text: () => 'हमने आपका पार्सल कूरियर को दे दिया है। अब वही इसे आप तक लाएगा।',
    },
  },
  blocks: (...order) => [
    ...trackingBlocks(...order),
    ...stepBlocks(...order),
    ...orderBlocks(...order),
    ...seeOrder(...order),
  ],
});

interface DeliveredFacts extends OrderFacts {
  /** ms since 1970 */
  readonly sentAt: number;
}

/** The last day for a return; nothing if it has passed when the email is sent. */
const returnBlocks: Blocks<DeliveredFacts> = (language, { order, sentAt }, { returnDays }) => {
  const { day, until } = WORDS[language];
  const events = order.events.map(({ status, at }) => ({ status, at: Date.parse(at) }));
  const end = returnEnd({ createdAt: Date.parse(order.createdAt), events }, returnDays);
  return sentAt < end ? [{ text: until(day.format(end - 1)) }] : [];
};

const DELIVERED_AT = '2026-01-08T09:00:00.000Z';

const delivered = defineOrderEmail<DeliveredFacts>({
  kind: 'orderDelivered',
  when: 'An order was delivered: to the shopper, with the last day for a return',
  async find(db, id, _details, sentAt) {
    const found = await findOrderFacts(db, id);
    return found && { ...found, facts: { ...found.facts, sentAt } };
  },
  sample: {
    order: {
      ...ORDER_SAMPLE.order,
      events: [...ORDER_SAMPLE.order.events, { status: STATUSES.delivered.code, at: DELIVERED_AT }],
    },
    sentAt: Date.parse(DELIVERED_AT),
  },
  words: {
    en: {
      subject: (order) => `Your order ${order} was delivered`,
      text: () =>
        'The carrier says that your parcel has arrived. If it has not, or something is wrong, reply to this email.',
    },
    hi: {
      subject: (order) => `आपका ऑर्डर ${order} पहुँच गया`,
      text: () => 'कूरियर के अनुसार आपका पार्सल पहुँच गया है। अगर नहीं मिला या कुछ ठीक नहीं है, तो इस ईमेल का जवाब दें।',
    },
  },
  blocks: (...order) => [
    ...stepBlocks(...order),
    ...returnBlocks(...order),
    ...orderBlocks(...order),
    ...seeOrder(...order),
  ],
});

type Refunds = NonNullable<OrderDto['refunds']>;

/** What was returned already, and what is still to come; '' for nothing. */
function returnedOf(refunds: Refunds): { readonly before: string; readonly due: string } {
  const sum = (isDone: boolean): string => {
    const paise = refunds.reduce(
      (all, { amount, state }) => all + ((state === 'refunded') === isDone ? toPaise(amount) : 0),
      0,
    );
    return paise === 0 ? '' : formatPaise(paise);
  };
  return { before: sum(true), due: sum(false) };
}

/** What happens to the money of an order that has ended. */
const RETURNED: Readonly<Record<Language, (refunds: Refunds) => string>> = {
  en(refunds) {
    const { before, due } = returnedOf(refunds);
    if (!due) return `What you paid was returned: ${before}.`;
    const other = before && ` besides the ${before} that was returned before`;
    return `We return what you paid: ${due}${other}. We write again when it is on its way.`;
  },
  hi(refunds) {
    const { before, due } = returnedOf(refunds);
    if (!due) return `आपका भुगतान लौटा दिया गया है: ${before}।`;
    const other = before && ` (${before} पहले ही लौटाए जा चुके हैं)`;
    return `हम आपका भुगतान लौटा रहे हैं: ${due}${other}। पैसे भेजते ही हम फिर लिखेंगे।`;
  },
};

const CANCELLED_SAMPLE: OrderFacts = {
  order: { ...ORDER_SAMPLE.order, refunds: [{ amount: 1_897.5, state: 'refund_due', at: '' }] },
};

const cancelled = defineOrderEmail<OrderFacts>({
  kind: 'orderCancelled',
  when: 'An order was cancelled: to the shopper, with what happens to the money',
  find: findOrderFacts,
  sample: CANCELLED_SAMPLE,
  words: {
    en: {
      subject: (order) => `Your order ${order} was cancelled`,
      text: ({ order: { refunds } }) =>
        refunds
          ? RETURNED.en(refunds)
          : 'We have no payment of yours to return. If you have paid all the same, you get your money back.',
    },
    hi: {
      subject: (order) => `आपका ऑर्डर ${order} रद्द कर दिया गया`,
      text: ({ order: { refunds } }) =>
        refunds
          ? RETURNED.hi(refunds)
          : 'हमारे पास लौटाने के लिए आपका कोई भुगतान नहीं है। अगर आपने फिर भी भुगतान किया है, तो पैसे आपको वापस मिलेंगे।',
    },
  },
  blocks: (...order) => [...orderBlocks(...order), ...seeOrder(...order)],
});

const corrected = defineOrderEmail<OrderFacts>({
  kind: 'orderCorrected',
  when: 'The staff corrected the address or a note of an order: to the shopper',
  find: findLiving,
  sample: ORDER_SAMPLE,
  words: {
    en: {
      subject: (order) => `We have corrected your order ${order}`,
      text: () => 'These are its details now. If something is wrong, reply to this email.',
    },
    hi: {
      subject: (order) => `हमने आपका ऑर्डर ${order} ठीक कर दिया है`,
      text: () => 'अब ऑर्डर की जानकारी यह है। कुछ गलत हो, तो इस ईमेल का जवाब दें।',
    },
  },
  blocks: (...order) => [...orderBlocks(...order), ...seeOrder(...order)],
});

const cameBack = defineOrderEmail<OrderFacts>({
  kind: 'orderCameBack',
  when: 'A parcel came back, which ends its order: to the shopper, with what happens to the money',
  find: findOrderFacts,
  sample: CANCELLED_SAMPLE,
  words: {
    en: {
      subject: (order) => `The parcel of your order ${order} came back to us`,
      text: ({ order: { refunds } }) =>
        `The carrier could not deliver it, so the order has ended. ${
          refunds ? RETURNED.en(refunds) : 'There is nothing to pay.'
        } If you still want the goods, please order them again.`,
    },
    hi: {
      subject: (order) => `आपके ऑर्डर ${order} का पार्सल हमारे पास लौट आया`,
      text: ({ order: { refunds } }) =>
        `कूरियर इसे पहुँचा नहीं सका, इसलिए यह ऑर्डर समाप्त हो गया है। ${
          refunds ? RETURNED.hi(refunds) : 'आपको कुछ नहीं देना है।'
        } अगर आपको सामान चाहिए, तो कृपया फिर से ऑर्डर करें।`,
    },
  },
  blocks: (...order) => [...orderBlocks(...order), ...seeOrder(...order)],
});

const takenBack = defineOrderEmail<OrderFacts>({
  kind: 'orderTakenBack',
  when: 'What an email said of an order was a mistake of the staff: to the shopper',
  find: findOrderFacts,
  sample: ORDER_SAMPLE,
  words: {
    en: {
      subject: (order) => `Correction: our last email about your order ${order} was a mistake`,
      text: () => 'Please ignore that email; we are sorry. This is how your order stands:',
    },
    hi: {
      subject: (order) => `सुधार: आपके ऑर्डर ${order} के बारे में हमारा पिछला ईमेल गलत था`,
      text: () => 'कृपया उस ईमेल पर ध्यान न दें; हमें खेद है। आपके ऑर्डर की स्थिति यह है:',
    },
  },
  blocks: (...order) => [...stepBlocks(...order), ...orderBlocks(...order), ...seeOrder(...order)],
});

/** Links to My Orders, where each order has a button to order it again. */
const orderAgain: Blocks<OrderFacts> = (language, _facts, { site }) => [
  { button: WORDS[language].again, address: `${site}${SITE_PATHS.orders}` },
];

const expired = defineOrderEmail<OrderFacts>({
  kind: 'orderExpired',
  when: 'An order was cancelled because it was not paid in time: to the shopper, with a link to order again',
  find: findOrderFacts,
  sample: ORDER_SAMPLE,
  words: {
    en: {
      subject: (order) => `Your order ${order} was cancelled: it was not paid`,
      text: () =>
        'We have had no payment for it, so we no longer hold it for you. If you have paid all the same, you get your money back.',
    },
    hi: {
      subject: (order) => `आपका ऑर्डर ${order} रद्द हो गया: भुगतान नहीं मिला`,
      text: () =>
        'हमें इसका भुगतान नहीं मिला, इसलिए यह ऑर्डर रद्द कर दिया गया है। अगर आपने फिर भी भुगतान किया है, तो पैसे आपको वापस मिलेंगे।',
    },
  },
  blocks: (...order) => [...orderAgain(...order), ...orderBlocks(...order)],
  link: orderAgain,
});

/** The emails to the customer about an order: its confirmation, and one per status change. */
export const ORDER_EMAILS = {
  placed,
  shipped,
  delivered,
  cancelled,
  cameBack,
  expired,
  corrected,
  takenBack,
};
