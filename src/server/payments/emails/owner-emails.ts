import * as v from 'valibot';
import { formatPaise, type Paise } from '#domain/money.ts';
import { orderPath, shortId } from '#server/admin/paths.ts';
import type { Reader } from '#server/db/database.ts';
import { defineEmail, type EmailText, type EmailValues } from '#server/email/email.ts';
import {
  attentionText,
  findPaymentNeedingAttention,
  findPaymentRecord,
} from '#server/payments/admin/payment-records.ts';
import { findOwner, OWNER_DETAILS } from '#server/staff/stored-staff.ts';

interface AttentionFacts {
  readonly orderId: string;
  readonly problem: string;
}

const ORDER_ID = '5f0e1c2a-0000-4000-8000-000000000000';

const seeOrder = ({ api }: EmailValues, orderId: string) => ({
  button: 'Open the order',
  address: `${api}${orderPath(orderId)}`,
});

const attentionEmail = ({ orderId, problem }: AttentionFacts, values: EmailValues): EmailText => ({
  subject: `A payment needs attention: order ${shortId(orderId)}`,
  blocks: [
    { text: problem },
    { text: 'It stays above the orders until you refund it, or note what was done about it.' },
    seeOrder(values, orderId),
  ],
});

const paymentAttention = defineEmail({
  kind: 'paymentAttention',
  isToStaff: true,
  when: 'A payment needs attention: to each owner, at once',
  details: v.object(OWNER_DETAILS),
  // It may be resolved by now, or the shop refunds it automatically.
  async find(db: Reader, reference: string, { owner }: { owner: string }) {
    const [recipient, record] = await Promise.all([
      findOwner(db, owner),
      findPaymentNeedingAttention(db, reference),
    ]);
    if (!recipient || !record) return undefined;
    return { ...recipient, facts: { orderId: record.orderId, problem: attentionText(record) } };
  },
  sample: {
    orderId: ORDER_ID,
    problem: `${formatPaise(189_750)} was paid and must be refunded: the order is Cancelled.`,
  },
  write: (_language, facts, values) => attentionEmail(facts, values),
});

interface RefundFacts {
  readonly orderId: string;
  readonly paise: Paise;
  readonly words: string;
}

const refundEmail = ({ orderId, paise, words }: RefundFacts, values: EmailValues): EmailText => ({
  subject: `${formatPaise(paise)} could not be refunded: order ${shortId(orderId)}`,
  blocks: [
    { text: `The payment provider says: ${words || 'nothing'}` },
    { text: 'You still have the money. Try again, or refund it another way.' },
    seeOrder(values, orderId),
  ],
});

const refundFailed = defineEmail({
  kind: 'refundFailed',
  isToStaff: true,
  when: 'A refund failed: to each owner, at once',
  details: v.object({ ...OWNER_DETAILS, paise: v.number(), words: v.string() }),
  async find(
    db: Reader,
    reference: string,
    { owner, paise, words }: { owner: string; paise: Paise; words: string },
  ) {
    const [recipient, record] = await Promise.all([findOwner(db, owner), findPaymentRecord(db, reference)]);
    return recipient && record && { ...recipient, facts: { orderId: record.orderId, paise, words } };
  },
  sample: { orderId: ORDER_ID, paise: 189_750, words: 'The balance is too low.' },
  write: (_language, facts, values) => refundEmail(facts, values),
});

/** The emails to the owners about payments. */
export const OWNER_PAYMENT_EMAILS = { paymentAttention, refundFailed };
