import * as v from 'valibot';
import { formatPaise, type Paise } from '#domain/money.ts';
import { orderPath } from '#server/admin/paths.ts';
import type { Reader } from '#server/db/database.ts';
import { defineEmail } from '#server/email/email.ts';
import { attentionTexts } from '#server/payments/admin/payment-texts.ts';
import { findPayment, type Payment } from '#server/payments/stored-payments.ts';
import { refundable, refundsOf } from '#server/payments/stored-refunds.ts';
import { findOwner, OWNER_DETAILS } from '#server/staff/stored-staff.ts';

interface Facts {
  readonly order: Pick<Payment, 'orderId' | 'shownNumber'>;
  readonly problems: readonly string[];
  readonly left: Paise;
}

const paymentAttention = defineEmail<{ owner: string }, Facts>({
  kind: 'paymentAttention',
  isToStaff: true,
  when: 'A payment needs attention, its refund failed or was made at the provider, or a bank opened or decided a dispute: to each owner, at once',
  details: v.object(OWNER_DETAILS),
  // It may be resolved by now, or the shop refunds it automatically.
  async find(db: Reader, reference: string, { owner }) {
    const [recipient, order] = await Promise.all([findOwner(db, owner), findPayment(db, reference)]);
    const refunds = order ? await refundsOf(db, [order]) : [];
    const problems = order ? attentionTexts(order, refunds) : [];
    if (!recipient || !order || problems.length === 0) return undefined;
    return { ...recipient, facts: { order, problems, left: refundable(order, refunds) } };
  },
  sample: {
    order: { orderId: '5f0e1c2a-0000-4000-8000-000000000000', shownNumber: 'FF-1042' },
    problems: [`${formatPaise(189_750)} was paid and must be refunded: the order is Cancelled.`],
    left: 189_750,
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

/** The emails to the owners about payments. */
export const OWNER_PAYMENT_EMAILS = { paymentAttention };
