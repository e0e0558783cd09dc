import { formatPaise } from '#domain/money.ts';
import { NEW_ORDER } from '#domain/order-status.ts';
import { orderRecipient } from '#server/customers/stored-customers.ts';
import { defineEmail, writeTexts } from '#server/email/email.ts';
import { SITE_PATHS } from '#server/email/links.ts';
import { type Attempt, findAttempt } from './stored-attempts.ts';

const ORDER_ID = '5f0e1c2a-0000-4000-8000-000000000000';
const SHOWN_NUMBER = 'FF-1042-7K3Q';

/** Of the samples. */
const PAISE = 189_750;

interface Failed {
  readonly order: Pick<Attempt, 'orderId' | 'shownNumber'>;
  readonly amount: string;
}

const failed = defineEmail<Failed>({
  kind: 'paymentFailed',
  unverified: 'same',
  when: 'A payment failed and the order still waits for one: to the shopper',
  // Another payment may have succeeded since, or the order was cancelled.
  async find(db, reference) {
    const order = await findAttempt(db, reference);
    if (!order || order.orderStatus !== NEW_ORDER || order.toPayPaise === 0) return undefined;
    const recipient = await orderRecipient(db, order);
    return recipient && { ...recipient, facts: { order, amount: formatPaise(order.amountPaise) } };
  },
  sample: { order: { orderId: ORDER_ID, shownNumber: SHOWN_NUMBER }, amount: formatPaise(PAISE) },
  write: writeTexts(
    {
      en: ({ amount, order }) => `Your payment of ${amount} did not go through
        Your order ${order.shownNumber} is not paid yet. If your bank took money all the same, it goes back by itself. You can pay again:
        [Pay now]`,
      hi: ({ amount, order }) => `आपका ${amount} का भुगतान नहीं हो पाया
        आपके ऑर्डर ${order.shownNumber} का भुगतान अभी नहीं हुआ है। अगर बैंक ने पैसे काट लिए हैं, तो वे अपने-आप वापस आ जाएँगे। आप फिर से भुगतान कर सकते हैं:
        [अभी भुगतान करें]`,
    },
    ({ site, order }) => `${site}${SITE_PATHS.payment(order.orderId)}`,
  ),
});

/** The emails about payments at providers. Those about what was booked are the ledger's. */
export const PAYMENT_EMAILS = { failed };
