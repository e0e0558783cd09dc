import * as v from 'valibot';
import { formatPaise, type Paise } from '#domain/money.ts';
import { orderPath } from '#server/admin/paths.ts';
import type { Reader } from '#server/db/database.ts';
import { DISPUTE_STATES } from '#server/db/tables.ts';
import { defineEmail, type EmailText, type EmailValues } from '#server/email/email.ts';
import {
  attentionText,
  disputeText,
  findPaymentNeedingAttention,
  findPaymentRecord,
  type PaymentRecord,
  refundNewsText,
} from '#server/payments/admin/payment-records.ts';
import { disputesOf, receivedPaise, refundable, refundsOf } from '#server/payments/stored-refunds.ts';
import { findOwner, OWNER_DETAILS } from '#server/staff/stored-staff.ts';

interface AttentionFacts {
  readonly order: Pick<PaymentRecord, 'orderId' | 'shownNumber'>;
  readonly problem: string;
}

const ORDER = { orderId: '5f0e1c2a-0000-4000-8000-000000000000', shownNumber: 'FF-1042' };

const seeOrder = ({ api }: EmailValues, { orderId }: AttentionFacts['order']) => ({
  button: 'Open the order',
  address: `${api}${orderPath(orderId)}`,
});

const attentionEmail = ({ order, problem }: AttentionFacts, values: EmailValues): EmailText => ({
  subject: `A payment needs attention: order ${order.shownNumber}`,
  blocks: [
    { text: problem },
    { text: 'It stays above the orders until you refund it, or note what was done about it.' },
    seeOrder(values, order),
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
    return { ...recipient, facts: { order: record, problem: attentionText(record) } };
  },
  sample: {
    order: ORDER,
    problem: `${formatPaise(189_750)} was paid and must be refunded: the order is Cancelled.`,
  },
  write: (_language, facts, values) => attentionEmail(facts, values),
});

interface RefundFacts {
  readonly order: Pick<PaymentRecord, 'orderId' | 'shownNumber'>;
  readonly paise: Paise;
  readonly words: string;
  /** What is left of the payment, in paise. */
  readonly left: Paise;
}

const refundEmail = ({ order, paise, words, left }: RefundFacts, values: EmailValues): EmailText => ({
  subject: `${formatPaise(paise)} could not be refunded: order ${order.shownNumber}`,
  blocks: [
    { text: `The payment provider says: ${words || 'nothing'}` },
    {
      text:
        left === 0
          ? 'Nothing of this payment is left with you: it was refunded at the provider, or the bank took it back.'
          : `You still have ${formatPaise(left)} of this payment. Try again, or refund it another way. It stays among the tasks until it succeeds, or you note what was done.`,
    },
    seeOrder(values, order),
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
    if (!recipient || !record) return undefined;
    const left = refundable(receivedPaise(record), await refundsOf(db, [reference]));
    return { ...recipient, facts: { order: record, paise, words, left } };
  },
  sample: { order: ORDER, paise: 189_750, left: 189_750, words: 'The balance is too low.' },
  write: (_language, facts, values) => refundEmail(facts, values),
});

/** An email about what happened at the provider. @param subject before the order's number */
const defineNews = <Details extends { readonly owner: string }>(
  kind: string,
  when: string,
  subject: string,
  details: v.GenericSchema<unknown, Details>,
  sample: string,
  findText: (db: Reader, reference: string, details: Details) => Promise<string | undefined>,
) =>
  defineEmail<Details, AttentionFacts>({
    kind,
    isToStaff: true,
    when,
    details,
    async find(db, reference, own) {
      const [recipient, record, problem] = await Promise.all([
        findOwner(db, own.owner),
        findPaymentRecord(db, reference),
        findText(db, reference, own),
      ]);
      if (!recipient || !record || problem === undefined) return undefined;
      return { ...recipient, facts: { order: record, problem } };
    },
    sample: { order: ORDER, problem: sample },
    write: (_language, { order, problem }, values) => ({
      subject: `${subject}: order ${order.shownNumber}`,
      blocks: [{ text: problem }, seeOrder(values, order)],
    }),
  });

const refundAtProvider = defineNews(
  'refundAtProvider',
  'A refund was made at the payment provider, and not here: to each owner, at once',
  'A refund was made at the payment provider',
  v.object({ ...OWNER_DETAILS, key: v.string() }),
  `${formatPaise(189_750)} was refunded at Razorpay, not here.`,
  async (db, reference, { key }) => {
    const refund = (await refundsOf(db, [reference])).find((each) => each.key === key);
    return refund && refundNewsText(refund);
  },
);

const dispute = defineNews(
  'paymentDispute',
  'A bank opened or decided a dispute about a payment: to each owner, at once',
  'A dispute about a payment',
  v.object({ ...OWNER_DETAILS, id: v.string(), state: v.picklist(DISPUTE_STATES) }),
  `${formatPaise(189_750)} is in dispute: the bank gives it back to the payer unless you answer at the provider.`,
  // A later decision has an email of its own.
  async (db, reference, { id, state }) => {
    const found = (await disputesOf(db, [reference])).find((each) => each.id === id && each.state === state);
    return found && disputeText(found);
  },
);

/** The emails to the owners about payments. */
export const OWNER_PAYMENT_EMAILS = { paymentAttention, refundFailed, refundAtProvider, dispute };
