import * as v from 'valibot';
import { formatPaise, type Paise } from '#domain/money.ts';
import { NEW_ORDER } from '#domain/order-status.ts';
import { orderPath } from '#server/admin/paths.ts';
import { findRecipient } from '#server/customers/stored-customers.ts';
import { defineEmail, writeTexts } from '#server/email/email.ts';
import { SITE_PATHS } from '#server/email/links.ts';
import { refundable } from '#server/ledger/give-back.ts';
import { movementsOf } from '#server/ledger/movements.ts';
import { findOrder, type StoredOrder } from '#server/orders/stored-orders.ts';
import { findOwner, OWNER_DETAILS } from '#server/staff/stored-staff.ts';
import { attentionTexts } from './admin/money-texts.ts';
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
    const recipient = await findRecipient(db, order.customerId, order.language);
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

interface Attention {
  readonly order: Pick<StoredOrder, 'id' | 'shownNumber'>;
  readonly problems: readonly string[];
  readonly left: Paise;
}

const paymentAttention = defineEmail<{ owner: string }, Attention>({
  kind: 'paymentAttention',
  isToStaff: true,
  when: 'Money of an order needs attention, its refund failed or was made at the provider, or a bank opened or decided a dispute: to each owner, at once',
  details: v.object(OWNER_DETAILS),
  // It may be resolved by now, or the shop refunds it automatically.
  async find(db, orderId, { owner }, now) {
    const [recipient, order] = await Promise.all([findOwner(db, owner), findOrder(db, orderId)]);
    const movements = order ? await movementsOf(db, order.number) : [];
    const problems = order ? attentionTexts(order, movements, now) : [];
    if (!recipient || !order || problems.length === 0) return undefined;
    return { ...recipient, facts: { order, problems, left: refundable(order, movements) } };
  },
  sample: {
    order: { id: ORDER_ID, shownNumber: SHOWN_NUMBER },
    problems: [`${formatPaise(PAISE)} must be refunded: the order is Cancelled.`],
    left: PAISE,
  },
  write: (_language, { order, problems, left }, { api }) => ({
    subject: `A payment needs attention: order ${order.shownNumber}`,
    blocks: [
      ...problems.map((text) => ({ text })),
      {
        text:
          left === 0
            ? 'Nothing of what was paid is left to refund.'
            : `You still have ${formatPaise(left)} of what was paid that can be refunded.`,
      },
      { text: 'It stays above the orders until it is refunded, or you note what was done about it.' },
      { button: 'Open the order', address: `${api}${orderPath(order.id)}` },
    ],
  }),
});

/** The emails about payments at providers. Those about what was booked are the ledger's. */
export const PAYMENT_EMAILS = { failed, paymentAttention };
