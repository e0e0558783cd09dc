import * as v from 'valibot';
import { CARRIERS, trackingUrl } from '#domain/carrier.ts';
import type { Language } from '#domain/language.ts';
import { formatPaise, formatRupees, toPaise } from '#domain/money.ts';
import { addressLines, trackingText } from '#domain/order.ts';
import { lineAmount } from '#domain/order-amounts.ts';
import { isPayable, NEW_ORDER, STATUSES } from '#domain/order-status.ts';
import { orderRecipient } from '#server/customers/stored-customers.ts';
import {
  type Block,
  defineEmail,
  type EmailValues,
  paragraphs,
  type Texts,
  writeTexts,
} from '#server/email/email.ts';
import { SITE_PATHS } from '#server/email/links.ts';
import { toOrderDtos } from '#server/fulfilment/shown-orders.ts';
import type { OrderDto } from '#server/orders/schema.ts';
import { apiStatus, findOrder } from '#server/orders/stored-orders.ts';
import { returnUntil } from './returns/stored-returns.ts';

/** The order as it is when the email is sent, not when it was queued. */
interface OrderFacts {
  readonly order: OrderDto;
  readonly number: string;
  /** Whether My Orders has it. */
  readonly hasAccount: boolean;
  /** As in DETAILS. */
  readonly answer: string;
}

const SAMPLE: OrderDto = {
  id: '5f0e1c2a-0000-4000-8000-000000000000',
  number: 'FF-1042-7K3Q',
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
    { id: 'subtotal', name: 'Subtotal', amount: 1_897.5 },
    { id: 'delivery', name: 'Shipping', amount: 0 },
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
};

const LABELS = {
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
    returned: (amount: string) => `What you paid was returned: ${amount}.`,
    returning: (amount: string, besides: string) =>
      `We return what you paid: ${amount}${besides}. We write again when it is on its way.`,
    besides: (amount: string) => ` besides the ${amount} that was returned before`,
    steps: {
      [NEW_ORDER]: 'Ordered',
      [STATUSES.processing.code]: 'Confirmed',
      [STATUSES.shipped.code]: 'Handed to the carrier',
      [STATUSES.delivered.code]: 'Delivered',
    },
  },
  hi: {
    amounts: { delivery: 'डिलीवरी' },
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
    returned: (amount: string) => `आपका भुगतान लौटा दिया गया है: ${amount}।`,
    returning: (amount: string, besides: string) =>
      `हम आपका भुगतान लौटा रहे हैं: ${amount}${besides}। पैसे भेजते ही हम फिर लिखेंगे।`,
    besides: (amount: string) => ` (${amount} पहले ही लौटाए जा चुके हैं)`,
    steps: {
      [NEW_ORDER]: 'ऑर्डर किया',
      [STATUSES.processing.code]: 'पक्का हुआ',
      [STATUSES.shipped.code]: 'कूरियर को दिया',
      [STATUSES.delivered.code]: 'पहुँच गया',
    },
  },
} as const satisfies Record<Language, object>;

const dayText = (language: Language, iso: string): string =>
  new Date(iso).toLocaleDateString(`${language}-IN`, { dateStyle: 'long', timeZone: 'Asia/Kolkata' });

/** The amounts besides the items, such as the delivery; none if all are free. */
function amountRows(language: Language, { amounts }: OrderDto): [string, string][] {
  const { free } = LABELS[language];
  const names: Readonly<Record<string, string>> = LABELS[language].amounts;
  const others = amounts.filter(({ id }) => id !== 'subtotal');
  if (others.every(({ amount }) => amount === 0)) return [];
  return others.map(({ id, name, amount }) => [
    names[id ?? ''] ?? name,
    amount === 0 ? free : formatRupees(amount),
  ]);
}

type Blocks = (language: Language, facts: OrderFacts, values: EmailValues) => readonly Block[];

const stepBlocks: Blocks = (language, { order }) => {
  const names: Readonly<Record<number, string>> = LABELS[language].steps;
  return [
    { rows: order.events.map(({ status, at }) => [names[status] ?? `${status}`, dayText(language, at)]) },
  ];
};

/** With the details of an email, the parcel with that number: another may have left since. */
const trackingBlocks: Blocks = (language, { order, answer }) => {
  const tracking = answer ? order.parcels?.find(({ number }) => number === answer) : order.tracking;
  if (!tracking) return [];
  const { follow, number } = LABELS[language];
  return [
    { text: `${number}: ${trackingText(tracking)}` },
    ...(tracking.url ? [{ button: follow, address: tracking.url }] : []),
  ];
};

const orderBlocks: Blocks = (language, { order }) => {
  const { total, to, whole } = LABELS[language];
  const items = order.items.map((item): [string, string] => [
    `${item.quantity} × ${item.productTitle}`,
    formatPaise(lineAmount(item)),
  ]);
  return [
    { rows: [...items, ...amountRows(language, order), [total, formatRupees(order.total)]], hasTotal: true },
    { text: `${to}: ${addressLines(order.shippingAddress).join(', ')}` },
    ...(order.extras ?? []).map(({ label, value }) => ({ text: `${label}: ${value}` })),
    { text: `${whole}: ${order.number}` },
  ];
};

export const seeOrder: Blocks = (language, { order }, { site }) => [
  { button: LABELS[language].track, address: `${site}${SITE_PATHS.order(order.number)}` },
];

const payBlocks: Blocks = (language, facts, values) =>
  isPayable(facts.order)
    ? [
        { text: LABELS[language].unpaid },
        { button: LABELS[language].pay, address: `${values.site}${SITE_PATHS.payment(facts.order.id)}` },
      ]
    : seeOrder(language, facts, values);

/** The last day for a return; nothing if it has passed when the email is sent. */
const returnBlocks: Blocks = (language, { order: { returnUntil } }) =>
  returnUntil ? [{ text: LABELS[language].until(dayText(language, returnUntil)) }] : [];

/** Links to My Orders, where each order has a button to order it again. */
const orderAgain: Blocks = (language, _facts, { site }) => [
  { button: LABELS[language].again, address: `${site}${SITE_PATHS.orders}` },
];

export const answerBlocks: Blocks = (_language, { answer }) => paragraphs(answer);

/** What happens to the money of an order that has ended. @param none if nothing was paid */
function moneyText(language: Language, { refunds }: OrderDto, none: string): string {
  if (!refunds) return none;
  const { returned, returning, besides } = LABELS[language];
  const sum = (isDone: boolean): number =>
    refunds
      .filter(({ state }) => (state === 'refunded') === isDone)
      .reduce((paise, { amount }) => paise + toPaise(amount), 0);
  const [before, due] = [sum(true), sum(false)];
  if (due === 0) return returned(formatPaise(before));
  return returning(formatPaise(due), before === 0 ? '' : besides(formatPaise(before)));
}

export interface OrderEmail {
  readonly when: string;
  /** The subject, which names nothing but the number of the order, and the first paragraph. */
  readonly texts: Texts<OrderFacts>;
  /** What follows the first paragraph: by default the order, and a link to it. */
  readonly blocks?: readonly Blocks[];
  /** Whether it is dropped if the order has ended meanwhile, because the email about that replaces it. */
  readonly isOfLiving?: true;
  /** The button of an email to an unverified address. */
  readonly link?: Blocks;
  /** 'same' if it contains nothing that a customer typed. */
  readonly unverified?: 'same';
  readonly sample?: Partial<OrderDto>;
  readonly answer?: string;
}

/** What the email has besides the order. Stored with it, because more may follow before it is sent. */
const DETAILS = v.object({
  /** What the staff wrote about a return, or the number of a parcel. */
  answer: v.optional(v.string()),
});

/** An email about an order. An unverified address gets only the order number, the total and a link. */
export function defineOrderEmail(kind: string, email: OrderEmail) {
  const { when, texts, blocks = [orderBlocks, seeOrder], isOfLiving, link = seeOrder, answer = '' } = email;
  const writeFirst = writeTexts(texts);
  const factsOf = (order: OrderDto, given = '', hasAccount = true): OrderFacts => {
    return { order, number: order.number, answer: given, hasAccount };
  };
  return defineEmail<v.InferOutput<typeof DETAILS>, OrderFacts>({
    kind,
    when,
    details: DETAILS,
    async find(db, id, details, now) {
      const stored = await findOrder(db, id);
      const recipient = stored && (await orderRecipient(db, stored));
      if (!recipient || (isOfLiving && apiStatus(stored.status) === STATUSES.cancelled.code))
        return undefined;
      const [order] = await toOrderDtos(db, [stored], (one) => returnUntil(one, now));
      return order && { ...recipient, facts: factsOf(order, details.answer, stored.customerId !== null) };
    },
    sample: factsOf({ ...SAMPLE, ...email.sample }, answer),
    write(language, facts, values) {
      const first = writeFirst(language, facts, values);
      const others = blocks.flatMap((block) => block(language, facts, values));
      return { ...first, blocks: [...first.blocks, ...others] };
    },
    unverified:
      email.unverified ??
      ((language, facts, values) => {
        const { subject } = writeFirst(language, facts, values);
        const { whole, total } = LABELS[language];
        const rows = [[whole, facts.number] as const, [total, formatRupees(facts.order.total)] as const];
        const button = (facts.hasAccount ? link : seeOrder)(language, facts, values);
        return { subject, blocks: [{ rows, hasTotal: true }, ...button] };
      }),
  });
}

const REFUND_SAMPLE: Partial<OrderDto> = { refunds: [{ amount: 1_897.5, state: 'refund_due', at: '' }] };

/** The emails to the customer about an order: its confirmation, and one per status change. */
export const ORDER_EMAILS = {
  /** Links to the payment while the order is unpaid. */
  placed: defineOrderEmail('orderPlaced', {
    when: 'An order was placed: to the shopper',
    isOfLiving: true,
    texts: {
      en: ({ number }) => `We have your order ${number}
        Thank you. This is what you ordered:`,
      hi: ({ number }) => `आपका ऑर्डर ${number} हमें मिल गया
        धन्यवाद। आपने यह ऑर्डर किया है:`,
    },
    blocks: [orderBlocks, payBlocks],
  }),
  shipped: defineOrderEmail('orderShipped', {
    when: 'An order was shipped: to the shopper, with the tracking number',
    isOfLiving: true,
    texts: {
      en: ({ number }) => `Your order ${number} is on its way
        We have handed your parcel to the carrier, who will bring it to you.`,
      hi: ({ number }) => `आपका ऑर्डर ${number} रवाना हो गया
        हमने आपका पार्सल कूरियर को दे दिया है। अब वही इसे आप तक लाएगा।`,
    },
    blocks: [trackingBlocks, stepBlocks, orderBlocks, seeOrder],
  }),
  /** `answer` is the number of the parcel. */
  partShipped: defineOrderEmail('orderPartShipped', {
    when: 'One of several parcels of an order has left: to the shopper, with its tracking number',
    isOfLiving: true,
    sample: SAMPLE.tracking ? { parcels: [SAMPLE.tracking] } : {},
    answer: SAMPLE.tracking?.number ?? '',
    texts: {
      en: ({ number }) => `A part of your order ${number} is on its way
        Your order comes in several parcels. We have handed this one to the carrier, and the rest follows.`,
      hi: ({ number }) => `आपके ऑर्डर ${number} का एक हिस्सा रवाना हो गया
        आपका ऑर्डर एक से ज़्यादा पार्सल में आएगा। हमने यह पार्सल कूरियर को दे दिया है, बाकी बाद में आएगा।`,
    },
    blocks: [trackingBlocks, orderBlocks, seeOrder],
  }),
  tracking: defineOrderEmail('orderTracking', {
    when: 'An order got its tracking number after the email that it was shipped: to the shopper',
    isOfLiving: true,
    texts: {
      en: ({ number }) => `The tracking number of your order ${number}
        Your parcel is with the carrier. With this number you can follow it.`,
      hi: ({ number }) => `आपके ऑर्डर ${number} का ट्रैकिंग नंबर
        आपका पार्सल कूरियर के पास है। इस नंबर से आप देख सकते हैं कि वह कहाँ है।`,
    },
    blocks: [trackingBlocks, seeOrder],
  }),
  delivered: defineOrderEmail('orderDelivered', {
    when: 'An order was delivered: to the shopper, with the last day for a return',
    sample: {
      events: [...SAMPLE.events, { status: STATUSES.delivered.code, at: '2026-01-08T09:00:00.000Z' }],
      returnUntil: '2026-01-15T18:29:59.999Z',
    },
    texts: {
      en: ({ number }) => `Your order ${number} was delivered
        The carrier says that your parcel has arrived. If it has not, or something is wrong, reply to this email.`,
      hi: ({ number }) => `आपका ऑर्डर ${number} पहुँच गया
        कूरियर के अनुसार आपका पार्सल पहुँच गया है। अगर नहीं मिला या कुछ ठीक नहीं है, तो इस ईमेल का जवाब दें।`,
    },
    blocks: [stepBlocks, returnBlocks, orderBlocks, seeOrder],
  }),
  cancelled: defineOrderEmail('orderCancelled', {
    when: 'An order was cancelled: to the shopper, with what happens to the money',
    sample: REFUND_SAMPLE,
    texts: {
      en: ({ number, order }) => `Your order ${number} was cancelled
        ${moneyText('en', order, 'We have no payment of yours to return. If you have paid all the same, you get your money back.')}`,
      hi: ({ number, order }) => `आपका ऑर्डर ${number} रद्द कर दिया गया
        ${moneyText('hi', order, 'हमारे पास लौटाने के लिए आपका कोई भुगतान नहीं है। अगर आपने फिर भी भुगतान किया है, तो पैसे आपको वापस मिलेंगे।')}`,
    },
  }),
  returnedToOrigin: defineOrderEmail('orderReturnedToOrigin', {
    when: 'A parcel came back, which ends its order: to the shopper, with what happens to the money',
    sample: REFUND_SAMPLE,
    texts: {
      en: ({ number, order }) => `The parcel of your order ${number} came back to us
        The carrier could not deliver it, so the order has ended. ${moneyText('en', order, 'There is nothing to pay.')} If you still want the goods, please order them again.`,
      hi: ({ number, order }) => `आपके ऑर्डर ${number} का पार्सल हमारे पास लौट आया
        कूरियर इसे पहुँचा नहीं सका, इसलिए यह ऑर्डर समाप्त हो गया है। ${moneyText('hi', order, 'आपको कुछ नहीं देना है।')} अगर आपको सामान चाहिए, तो कृपया फिर से ऑर्डर करें।`,
    },
  }),
  lost: defineOrderEmail('orderLost', {
    when: 'The carrier lost a parcel, which ends its order: to the shopper, with what happens to the money',
    sample: REFUND_SAMPLE,
    texts: {
      en: ({ number, order }) => `The parcel of your order ${number} was lost
        We are sorry: the carrier lost it on its way, so the order has ended. ${moneyText('en', order, 'There is nothing to pay.')} If you still want the goods, please order them again.`,
      hi: ({ number, order }) => `आपके ऑर्डर ${number} का पार्सल खो गया
        हमें खेद है: कूरियर से यह रास्ते में खो गया, इसलिए यह ऑर्डर समाप्त हो गया है। ${moneyText('hi', order, 'आपको कुछ नहीं देना है।')} अगर आपको सामान चाहिए, तो कृपया फिर से ऑर्डर करें।`,
    },
  }),
  expired: defineOrderEmail('orderExpired', {
    when: 'An order was cancelled because it was not paid in time: to the shopper, with a link to order again',
    texts: {
      en: ({ number }) => `Your order ${number} was cancelled: it was not paid
        We have had no payment for it, so we no longer hold it for you. If you have paid all the same, you get your money back.`,
      hi: ({ number }) => `आपका ऑर्डर ${number} रद्द हो गया: भुगतान नहीं मिला
        हमें इसका भुगतान नहीं मिला, इसलिए यह ऑर्डर रद्द कर दिया गया है। अगर आपने फिर भी भुगतान किया है, तो पैसे आपको वापस मिलेंगे।`,
    },
    blocks: [orderAgain, orderBlocks],
    link: orderAgain,
  }),
  corrected: defineOrderEmail('orderCorrected', {
    when: 'The staff corrected the address or a note of an order: to the shopper',
    isOfLiving: true,
    texts: {
      en: ({ number }) => `We have corrected your order ${number}
        These are its details now. If something is wrong, reply to this email.`,
      hi: ({ number }) => `हमने आपका ऑर्डर ${number} ठीक कर दिया है
        अब ऑर्डर की जानकारी यह है। कुछ गलत हो, तो इस ईमेल का जवाब दें।`,
    },
  }),
  takenBack: defineOrderEmail('orderTakenBack', {
    when: 'What an email said of an order was a mistake of the staff: to the shopper',
    texts: {
      en: ({ number }) => `Correction: our last email about your order ${number} was a mistake
        Please ignore that email; we are sorry. This is how your order stands:`,
      hi: ({ number }) => `सुधार: आपके ऑर्डर ${number} के बारे में हमारा पिछला ईमेल गलत था
        कृपया उस ईमेल पर ध्यान न दें; हमें खेद है। आपके ऑर्डर की स्थिति यह है:`,
    },
    blocks: [stepBlocks, orderBlocks, seeOrder],
  }),
  goesOn: defineOrderEmail('orderGoesOn', {
    when: 'The staff took back that the customer cancelled an order: to the shopper',
    isOfLiving: true,
    texts: {
      en: ({ number }) => `Your order ${number} comes to you after all
        You had cancelled it. It is not cancelled any more. If you do not want it, reply to this email or refuse the parcel, and you get back what you have paid.`,
      hi: ({ number }) => `आपका ऑर्डर ${number} अब भी आपके पास आएगा
        आपने इसे रद्द किया था। अब यह रद्द नहीं है। अगर यह आपको नहीं चाहिए, तो इस ईमेल का जवाब दें या पार्सल लेने से मना करें; आपका भुगतान लौटा दिया जाएगा।`,
    },
    blocks: [stepBlocks, orderBlocks, seeOrder],
  }),
};
