import { formatPaise } from '#domain/money.ts';
import { PAID_ORDER } from '#domain/order-status.ts';
import { hasEnded } from '#server/admin/order-status.ts';
import { orderRecipient } from '#server/customers/stored-customers.ts';
import { defineEmail, type Texts, writeTexts } from '#server/email/email.ts';
import { SITE_PATHS } from '#server/email/links.ts';
import { ordersByNumber, type StoredOrder } from '#server/orders/stored-orders.ts';
import { findAdjustment, findMovement, isReversed, type Movement, movementsOf } from './movements.ts';

interface Facts {
  readonly order: Pick<
    StoredOrder,
    'id' | 'shownNumber' | 'status' | 'toPayPaise' | 'toRefundPaise' | 'paidAtDoor'
  >;
  readonly amount: string;
  /** Of an adjustment, as the staff typed it. */
  readonly reason: string;
  readonly direction: Movement['direction'] | undefined;
  /** The working days that a refund takes, by the terms with which the order was delivered. */
  readonly keptDays?: number | undefined;
}

const SAMPLE: Facts = {
  order: {
    id: '5f0e1c2a-0000-4000-8000-000000000000',
    shownNumber: 'FF-1042-7K3Q',
    status: PAID_ORDER,
    toPayPaise: 0,
    toRefundPaise: 0,
    paidAtDoor: 0,
  },
  amount: formatPaise(189_750),
  reason: 'A jar was missing',
  direction: 'in',
};

/** Its subject is a movement or an adjustment. @param isCorrection it is about a row that was undone; the others are then pointless */
const defineMoneyEmail = (kind: string, when: string, texts: Texts<Facts>, isCorrection = false) =>
  defineEmail<Facts>({
    kind,
    when,
    unverified: 'same',
    async find(db, id) {
      const movement = await findMovement(db, id);
      const row = movement ?? (await findAdjustment(db, id));
      const [order] = row ? await ordersByNumber(db, [row.orderNumber]) : [];
      if (!row || !order) return undefined;
      const isUndone = movement && isReversed(movement, await movementsOf(db, order.number));
      if (isUndone && !isCorrection) return undefined;
      const recipient = await orderRecipient(db, order);
      const reason = 'reason' in row ? row.reason : '';
      const facts = {
        order,
        amount: formatPaise(Math.abs(row.paise)),
        reason,
        direction: movement?.direction,
        keptDays: order.events.findLast(({ terms }) => terms)?.terms?.refundDays,
      };
      return recipient && { ...recipient, facts };
    },
    sample: SAMPLE,
    write: writeTexts(texts, ({ site, order }) => `${site}${SITE_PATHS.order(order.shownNumber)}`),
  });

/** What is still to pay, as a sentence; '' if nothing is. */
const DUE = {
  en: ({ toPayPaise, paidAtDoor }: Facts['order']) =>
    toPayPaise === 0
      ? ''
      : ` ${formatPaise(toPayPaise)} ${paidAtDoor ? 'is to be paid on delivery' : 'is still to pay'}.`,
  hi: ({ toPayPaise, paidAtDoor }: Facts['order']) =>
    toPayPaise === 0
      ? ''
      : ` ${formatPaise(toPayPaise)} ${paidAtDoor ? 'डिलीवरी पर देने हैं' : 'अभी देने बाकी हैं'}।`,
} as const;

const RECEIVED = {
  en: ({ order }: Facts): string => {
    const { shownNumber, status, toPayPaise, toRefundPaise } = order;
    if (hasEnded(status)) return `Your order ${shownNumber} was cancelled, so the money goes back to you.`;
    if (toPayPaise > 0) return `It is for your order ${shownNumber}.${DUE.en(order)}`;
    const more = toRefundPaise > 0 ? ` ${formatPaise(toRefundPaise)} is too much, and goes back to you.` : '';
    const next = status === PAID_ORDER ? ' We pack it now, and write again when it leaves.' : '';
    return `Your order ${shownNumber} is paid.${more}${next}`;
  },
  hi: ({ order }: Facts): string => {
    const { shownNumber, status, toPayPaise, toRefundPaise } = order;
    if (hasEnded(status)) return `आपका ऑर्डर ${shownNumber} रद्द हो चुका है, इसलिए पैसे आपको लौटाए जाएँगे।`;
    if (toPayPaise > 0) return `यह आपके ऑर्डर ${shownNumber} के लिए है।${DUE.hi(order)}`;
    const more = toRefundPaise > 0 ? ` ${formatPaise(toRefundPaise)} ज़्यादा हैं, और आपको लौटाए जाएँगे।` : '';
    const next = status === PAID_ORDER ? ' हम इसे पैक कर रहे हैं, और भेजते ही फिर लिखेंगे।' : '';
    return `आपके ऑर्डर ${shownNumber} का भुगतान हो गया।${more}${next}`;
  },
} as const;

/** The emails about what was booked. What they say of the order is true when they are sent. */
export const LEDGER_EMAILS = {
  received: defineMoneyEmail('paymentReceived', 'A payment came, or was booked: to the shopper', {
    en: (facts) => `We have your payment of ${facts.amount}
      ${RECEIVED.en(facts)}
      [See your order]`,
    hi: (facts) => `आपका ${facts.amount} का भुगतान हमें मिल गया
      ${RECEIVED.hi(facts)}
      [अपना ऑर्डर देखें]`,
  }),
  lowered: defineMoneyEmail('amountLowered', 'What is owed was lowered or written off: to the shopper', {
    en: ({ amount, order, reason }) => `Your order ${order.shownNumber} costs ${amount} less
      Why: ${reason}.${DUE.en(order)}
      [See your order]`,
    hi: ({ amount, order, reason }) => `आपका ऑर्डर ${order.shownNumber} ${amount} सस्ता हो गया
      वजह: ${reason}।${DUE.hi(order)}
      [अपना ऑर्डर देखें]`,
  }),
  notReturned: defineMoneyEmail('moneyNotReturned', 'A part is not refunded: to the shopper', {
    en: ({ amount, order, reason }) => `${amount} of your order ${order.shownNumber} is not refunded
      Why: ${reason}. If you do not agree, reply to this email.`,
    hi: ({ amount, order, reason }) => `आपके ऑर्डर ${order.shownNumber} के ${amount} वापस नहीं किए जाएँगे
      वजह: ${reason}। अगर आप सहमत नहीं हैं, तो इस ईमेल का जवाब दें।`,
  }),
  returned: defineMoneyEmail('moneyReturned', 'A refund was made: to the shopper', {
    en: ({ amount, order, refundDays, keptDays = refundDays }) => `We have returned ${amount}
      It is for your order ${order.shownNumber}, and goes back the way you paid. Your bank may take up to ${keptDays} working days to show it.`,
    hi: ({ amount, order, refundDays, keptDays = refundDays }) => `हमने ${amount} लौटा दिए हैं
      यह आपके ऑर्डर ${order.shownNumber} के लिए है, और उसी तरीके से लौटेगा जिससे आपने भुगतान किया था। बैंक में दिखने में ${keptDays} कार्य दिवस तक लग सकते हैं।`,
  }),
  returnedByHand: defineMoneyEmail(
    'moneyReturnedByHand',
    'A refund was made by hand, in cash or by bank transfer: to the shopper',
    {
      en: ({ amount, order }) => `We have returned ${amount}
        It is for your order ${order.shownNumber}. We gave it back by hand: in cash, or to your bank account. If you do not have it, reply to this email.`,
      hi: ({ amount, order }) => `हमने ${amount} लौटा दिए हैं
        यह आपके ऑर्डर ${order.shownNumber} के लिए है। हमने पैसे सीधे लौटाए हैं: नकद, या आपके बैंक खाते में। अगर नहीं मिले, तो इस ईमेल का जवाब दें।`,
    },
  ),
  correction: defineMoneyEmail(
    'moneyCorrection',
    'The staff took back what they had booked: to the shopper',
    {
      en: ({ amount, order, direction }) => `Correction: ${amount} of your order ${order.shownNumber}
        We wrote ${direction === 'in' ? 'that your payment had come' : direction === 'out' ? 'that we had returned it' : 'that your order costs less'}. That was a mistake, and we are sorry.${DUE.en(order)} If it is right after all, reply to this email.`,
      hi: ({ amount, order, direction }) => `सुधार: आपके ऑर्डर ${order.shownNumber} के ${amount}
        हमने लिखा था कि ${direction === 'in' ? 'आपका भुगतान मिल गया है' : direction === 'out' ? 'हमने यह लौटा दिया है' : 'आपका ऑर्डर सस्ता हो गया है'}। वह गलत था, और हमें खेद है।${DUE.hi(order)} अगर वह सही था, तो इस ईमेल का जवाब दें।`,
    },
    true,
  ),
};
