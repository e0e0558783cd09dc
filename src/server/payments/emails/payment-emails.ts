import * as v from 'valibot';
import { formatPaise, type Paise } from '#domain/money.ts';
import { isPayable, PAID_ORDER } from '#domain/order-status.ts';
import { findRecipient } from '#server/customers/stored-customers.ts';
import type { Reader } from '#server/db/database.ts';
import { defineEmail, type EmailData, writeWords } from '#server/email/email.ts';
import { SITE_PATHS } from '#server/email/links.ts';
import { findPayableByNumber, type Payable } from '#server/payments/payable.ts';
import { findPayment } from '#server/payments/stored-payments.ts';

interface MoneyFacts {
  readonly order: Pick<Payable, 'id' | 'shownNumber' | 'status'>;
  readonly paise: Paise;
}

/** @param reference of the payment */
async function findMoney(
  db: Reader,
  reference: string,
  paise?: Paise,
  says: (order: Payable) => boolean = () => true,
): Promise<EmailData<MoneyFacts> | undefined> {
  const payment = await findPayment(db, reference);
  const order = payment && (await findPayableByNumber(db, payment.orderNumber));
  if (!order || !says(order)) return undefined;
  const recipient = await findRecipient(db, order.customerId, order.language);
  return recipient && { ...recipient, facts: { order, paise: paise ?? payment.amountPaise } };
}

const SAMPLE: MoneyFacts = {
  order: { id: '5f0e1c2a-0000-4000-8000-000000000000', shownNumber: 'FF-1042', status: PAID_ORDER },
  paise: 189_750,
};

const paid = defineEmail<MoneyFacts>({
  kind: 'paymentReceived',
  unverified: 'same',
  when: 'A payment came: to the shopper',
  find: (db, reference) => findMoney(db, reference),
  sample: SAMPLE,
  write: writeWords(
    {
      en: {
        subject: (_place, { paise }) => `We have your payment of ${formatPaise(paise)}`,
        text: ({
          order,
        }) => `Your order ${order.shownNumber} is paid.${order.status === PAID_ORDER ? ' We pack it now, and write again when it leaves.' : ''}
          [See your order]`,
      },
      hi: {
        subject: (_place, { paise }) => `आपका ${formatPaise(paise)} का भुगतान हमें मिल गया`,
        text: ({
          order,
        }) => `आपके ऑर्डर ${order.shownNumber} का भुगतान हो गया।${order.status === PAID_ORDER ? ' हम इसे पैक कर रहे हैं, और भेजते ही फिर लिखेंगे।' : ''}
          [अपना ऑर्डर देखें]`,
      },
    },
    ({ site }, { order }) => `${site}${SITE_PATHS.order(order.shownNumber)}`,
  ),
});

const failed = defineEmail<MoneyFacts>({
  kind: 'paymentFailed',
  unverified: 'same',
  when: 'A payment failed and the order still waits for one: to the shopper',
  // Another payment may have succeeded since, or the order was cancelled.
  find: (db, reference) => findMoney(db, reference, undefined, isPayable),
  sample: SAMPLE,
  write: writeWords(
    {
      en: {
        subject: (_place, { paise }) => `Your payment of ${formatPaise(paise)} did not go through`,
        text: ({
          order,
        }) => `Your order ${order.shownNumber} is not paid yet. If your bank took money all the same, it goes back by itself. You can pay again:
          [Pay now]`,
      },
      hi: {
        subject: (_place, { paise }) => `आपका ${formatPaise(paise)} का भुगतान नहीं हो पाया`,
        text: ({
          order,
        }) => `आपके ऑर्डर ${order.shownNumber} का भुगतान अभी नहीं हुआ है। अगर बैंक ने पैसे काट लिए हैं, तो वे अपने-आप वापस आ जाएँगे। आप फिर से भुगतान कर सकते हैं:
          [अभी भुगतान करें]`,
      },
    },
    ({ site }, { order }) => `${site}${SITE_PATHS.payment(order.id)}`,
  ),
});

const notCollected = defineEmail<MoneyFacts>({
  kind: 'paymentNotCollected',
  unverified: 'same',
  when: 'The staff took back that cash was collected: to the shopper',
  find: (db, reference) => findMoney(db, reference),
  sample: SAMPLE,
  write: writeWords({
    en: {
      subject: (_place, { paise }) => `Correction: your payment of ${formatPaise(paise)}`,
      text: () =>
        'We wrote that it had come. That was a mistake, and we are sorry: it is still to be paid on delivery. If you have paid it already, reply to this email.',
    },
    hi: {
      subject: (_place, { paise }) => `सुधार: आपका ${formatPaise(paise)} का भुगतान`,
      text: () =>
        'हमने लिखा था कि यह मिल गया है। वह गलत था, और हमें खेद है: यह अभी डिलीवरी पर देना है। अगर आप दे चुके हैं, तो इस ईमेल का जवाब दें।',
    },
  }),
});

/** An email about a refund. @param en, hi the text below the subject */
const defineReturned = (
  kind: string,
  when: string,
  en: (order: string, refundDays: number) => string,
  hi: (order: string, refundDays: number) => string,
) =>
  defineEmail<{ paise: Paise }, MoneyFacts>({
    kind,
    when,
    unverified: 'same',
    details: v.object({ paise: v.number() }),
    find: (db, reference, { paise }) => findMoney(db, reference, paise),
    sample: SAMPLE,
    write: writeWords({
      en: {
        subject: (_place, { paise }) => `We have returned ${formatPaise(paise)}`,
        text: ({ order }, { refundDays }) => en(order.shownNumber, refundDays),
      },
      hi: {
        subject: (_place, { paise }) => `हमने ${formatPaise(paise)} लौटा दिए हैं`,
        text: ({ order }, { refundDays }) => hi(order.shownNumber, refundDays),
      },
    }),
  });

const returned = defineReturned(
  'moneyReturned',
  'A refund was made: to the shopper',
  (order, refundDays) =>
    `It is for your order ${order}, and goes back the way you paid. Your bank may take up to ${refundDays} working days to show it.`,
  (order, refundDays) =>
    `यह आपके ऑर्डर ${order} के लिए है, और उसी तरीके से लौटेगा जिससे आपने भुगतान किया था। बैंक में दिखने में ${refundDays} कार्य दिवस तक लग सकते हैं।`,
);

const returnedByHand = defineReturned(
  'moneyReturnedByHand',
  'A refund was made by hand, in cash or by bank transfer: to the shopper',
  (order) =>
    `It is for your order ${order}. We gave it back by hand: in cash, or to your bank account. If you do not have it, reply to this email.`,
  (order) =>
    `यह आपके ऑर्डर ${order} के लिए है। हमने पैसे सीधे लौटाए हैं: नकद, या आपके बैंक खाते में। अगर नहीं मिले, तो इस ईमेल का जवाब दें।`,
);

/** The emails to the customer about payments and refunds. */
export const PAYMENT_EMAILS = { paid, notCollected, failed, returned, returnedByHand };
