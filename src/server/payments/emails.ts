import * as v from 'valibot';
import { formatPaise, type Paise } from '#domain/money.ts';
import { isPayable, PAID_ORDER } from '#domain/order-status.ts';
import { orderPath } from '#server/admin/paths.ts';
import { findRecipient } from '#server/customers/stored-customers.ts';
import { defineEmail, type Texts, writeTexts } from '#server/email/email.ts';
import { SITE_PATHS } from '#server/email/links.ts';
import { findOwner, OWNER_DETAILS } from '#server/staff/stored-staff.ts';
import { attentionTexts } from './admin/payment-texts.ts';
import { findPayment, type Payment } from './stored-payments.ts';
import { refundable, refundsOf } from './stored-refunds.ts';

interface Facts {
  readonly order: Pick<Payment, 'orderId' | 'shownNumber' | 'orderStatus'>;
  readonly amount: string;
}

/** Of the samples. */
const PAISE = 189_750;

const SAMPLE: Facts = {
  order: {
    orderId: '5f0e1c2a-0000-4000-8000-000000000000',
    shownNumber: 'FF-1042-7K3Q',
    orderStatus: PAID_ORDER,
  },
  amount: formatPaise(PAISE),
};

/** Where an email leads, and whether there is still a reason to write when it leaves. */
interface Rules {
  readonly address?: (order: Facts['order']) => string;
  readonly isTrue?: (order: Facts['order']) => boolean;
}

/** Its amount is a part of the payment, or the whole. */
const defineMoneyEmail = (
  kind: string,
  when: string,
  texts: Texts<Facts>,
  { address = ({ shownNumber }) => SITE_PATHS.order(shownNumber), isTrue = () => true }: Rules = {},
) =>
  defineEmail<{ paise?: Paise | undefined }, Facts>({
    kind,
    unverified: 'same',
    when,
    details: v.object({ paise: v.optional(v.number()) }),
    async find(db, reference, { paise }) {
      const order = await findPayment(db, reference);
      if (!order || !isTrue(order)) return undefined;
      const recipient = await findRecipient(db, order.customerId, order.language);
      return recipient && { ...recipient, facts: { order, amount: formatPaise(paise ?? order.amountPaise) } };
    },
    sample: SAMPLE,
    write: writeTexts(texts, ({ site, order }) => `${site}${address(order)}`),
  });

const paid = defineMoneyEmail('paymentReceived', 'A payment came: to the shopper', {
  en: ({ amount, order }) => `We have your payment of ${amount}
    Your order ${order.shownNumber} is paid.${order.orderStatus === PAID_ORDER ? ' We pack it now, and write again when it leaves.' : ''}
    [See your order]`,
  hi: ({ amount, order }) => `आपका ${amount} का भुगतान हमें मिल गया
    आपके ऑर्डर ${order.shownNumber} का भुगतान हो गया।${order.orderStatus === PAID_ORDER ? ' हम इसे पैक कर रहे हैं, और भेजते ही फिर लिखेंगे।' : ''}
    [अपना ऑर्डर देखें]`,
});

const failed = defineMoneyEmail(
  'paymentFailed',
  'A payment failed and the order still waits for one: to the shopper',
  {
    en: ({ amount, order }) => `Your payment of ${amount} did not go through
      Your order ${order.shownNumber} is not paid yet. If your bank took money all the same, it goes back by itself. You can pay again:
      [Pay now]`,
    hi: ({ amount, order }) => `आपका ${amount} का भुगतान नहीं हो पाया
      आपके ऑर्डर ${order.shownNumber} का भुगतान अभी नहीं हुआ है। अगर बैंक ने पैसे काट लिए हैं, तो वे अपने-आप वापस आ जाएँगे। आप फिर से भुगतान कर सकते हैं:
      [अभी भुगतान करें]`,
  },
  // Another payment may have succeeded since, or the order was cancelled.
  {
    address: ({ orderId }) => SITE_PATHS.payment(orderId),
    isTrue: ({ orderStatus }) => isPayable({ status: orderStatus }),
  },
);

const notCollected = defineMoneyEmail(
  'paymentNotCollected',
  'The staff took back that cash was collected: to the shopper',
  {
    en: ({ amount }) => `Correction: your payment of ${amount}
      We wrote that it had come. That was a mistake, and we are sorry: it is still to be paid on delivery. If you have paid it already, reply to this email.`,
    hi: ({ amount }) => `सुधार: आपका ${amount} का भुगतान
      हमने लिखा था कि यह मिल गया है। वह गलत था, और हमें खेद है: यह अभी डिलीवरी पर देना है। अगर आप दे चुके हैं, तो इस ईमेल का जवाब दें।`,
  },
);

const returned = defineMoneyEmail('moneyReturned', 'A refund was made: to the shopper', {
  en: ({ amount, order, refundDays }) => `We have returned ${amount}
    It is for your order ${order.shownNumber}, and goes back the way you paid. Your bank may take up to ${refundDays} working days to show it.`,
  hi: ({ amount, order, refundDays }) => `हमने ${amount} लौटा दिए हैं
    यह आपके ऑर्डर ${order.shownNumber} के लिए है, और उसी तरीके से लौटेगा जिससे आपने भुगतान किया था। बैंक में दिखने में ${refundDays} कार्य दिवस तक लग सकते हैं।`,
});

const returnedByHand = defineMoneyEmail(
  'moneyReturnedByHand',
  'A refund was made by hand, in cash or by bank transfer: to the shopper',
  {
    en: ({ amount, order }) => `We have returned ${amount}
      It is for your order ${order.shownNumber}. We gave it back by hand: in cash, or to your bank account. If you do not have it, reply to this email.`,
    hi: ({ amount, order }) => `हमने ${amount} लौटा दिए हैं
      यह आपके ऑर्डर ${order.shownNumber} के लिए है। हमने पैसे सीधे लौटाए हैं: नकद, या आपके बैंक खाते में। अगर नहीं मिले, तो इस ईमेल का जवाब दें।`,
  },
);

interface Attention extends Pick<Facts, 'order'> {
  readonly problems: readonly string[];
  readonly left: Paise;
}

const paymentAttention = defineEmail<{ owner: string }, Attention>({
  kind: 'paymentAttention',
  isToStaff: true,
  when: 'A payment needs attention, its refund failed or was made at the provider, or a bank opened or decided a dispute: to each owner, at once',
  details: v.object(OWNER_DETAILS),
  // It may be resolved by now, or the shop refunds it automatically.
  async find(db, reference, { owner }) {
    const [recipient, order] = await Promise.all([findOwner(db, owner), findPayment(db, reference)]);
    const refunds = order ? await refundsOf(db, [order]) : [];
    const problems = order ? attentionTexts(order, refunds) : [];
    if (!recipient || !order || problems.length === 0) return undefined;
    return { ...recipient, facts: { order, problems, left: refundable(order, refunds) } };
  },
  sample: {
    order: SAMPLE.order,
    problems: [`${formatPaise(PAISE)} was paid and must be refunded: the order is Cancelled.`],
    left: PAISE,
  },
  write: (_language, { order, problems, left }, { api }) => ({
    subject: `A payment needs attention: order ${order.shownNumber}`,
    blocks: [
      ...problems.map((text) => ({ text })),
      {
        text:
          left === 0
            ? 'Nothing of this payment is left to refund.'
            : `You still have ${formatPaise(left)} of this payment that can be refunded.`,
      },
      { text: 'It stays above the orders until it is refunded, or you note what was done about it.' },
      { button: 'Open the order', address: `${api}${orderPath(order.orderId)}` },
    ],
  }),
});

/** The emails about payments and refunds. */
export const PAYMENT_EMAILS = { paid, notCollected, failed, returned, returnedByHand, paymentAttention };
