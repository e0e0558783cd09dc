import type { Transaction } from '#server/db/database.ts';
import { q } from '#server/db/query.ts';
import type { DisputeState } from '#server/db/tables.ts';
import type { OutboxServices } from '#server/email/outbox.ts';
import { queueEmailForOwners } from '#server/staff/stored-staff.ts';
import { OWNER_PAYMENT_EMAILS } from './emails/owner-emails.ts';
import type { PaymentReport, ReportedDispute, ReportedRefund } from './providers/provider.ts';
import { changeRefund, closePayment, supersedeFailed } from './refunds.ts';
import { lockPayment, type Payment } from './stored-payments.ts';
import { refundsOf } from './stored-refunds.ts';

/* What a provider reports about money that came: refunds that were not made here, and disputes. */

interface Target {
  readonly transaction: Transaction;
  readonly services: OutboxServices;
  readonly reference: string;
  /** The provider's title, as the actor. */
  readonly title: string;
  readonly isPolled: boolean;
}

/** A refund that was made at the provider becomes a row, so that it counts like the shop's own. */
async function storeForeignRefund(
  { transaction, services, reference, title }: Target,
  { key, paise = 0, answer }: ReportedRefund,
): Promise<void> {
  const now = services.clock();
  const row = {
    key,
    reference,
    paise,
    reason: `Made at ${title}`,
    who: title,
    state: 'refunding',
    words: '',
    byHand: 0,
    createdAt: now,
    changedAt: now,
    nextPollAt: null,
    polls: 0,
    noted: 0,
  } as const;
  const insert = q
    .insertInto('refunds')
    .values(row)
    .onConflict((one) => one.column('key').doNothing());
  if ((await transaction.run(insert)) === 0) return;
  await supersedeFailed(transaction, reference, paise);
  await queueEmailForOwners(transaction, services, OWNER_PAYMENT_EMAILS.refundAtProvider, reference, { key });
  await changeRefund(transaction, services, row, answer);
}

const DECIDED: readonly DisputeState[] = ['won', 'lost', 'closed'];

const DISPUTE = q.selectFrom('disputes').select(['state', 'paise', 'respondBy']);

/** The bank has taken the money of a lost dispute. It counts as a refund, which a later decision takes back. */
async function countLostDispute(
  { transaction, services, reference, title }: Target,
  { id, state, paise = 0, reason }: ReportedDispute,
): Promise<void> {
  if (state !== 'lost') {
    await transaction.run(q.deleteFrom('refunds').where('key', '=', id).where('reference', '=', reference));
    return;
  }
  const now = services.clock();
  const row = { key: id, reference, paise, reason: `Lost dispute: ${reason}`, who: title } as const;
  const times = { createdAt: now, changedAt: now, nextPollAt: null, polls: 0 };
  const insert = q
    .insertInto('refunds')
    .values({ ...row, ...times, state: 'refunded', words: '', byHand: 0 });
  await transaction.run(insert.onConflict((one) => one.column('key').doNothing()));
}

async function storeDispute(target: Target, dispute: ReportedDispute): Promise<void> {
  const { transaction, services, reference, isPolled } = target;
  const { id, paise, state, reason, respondBy } = dispute;
  if (paise === undefined) return;
  const known = await transaction.row(
    DISPUTE.where('id', '=', id).where('reference', '=', reference).forNoKeyUpdate(),
  );
  // A webhook may come late: only the answer to a poll reopens a dispute.
  if (known && !isPolled && DECIDED.includes(known.state)) return;
  if (known?.state === state && known.paise === paise && known.respondBy === respondBy) return;
  const now = services.clock();
  const isNews = state !== 'under_review';
  const set = { paise, state, reason, respondBy, changedAt: now, noted: isNews ? 0 : 1 };
  await transaction.run(
    q
      .insertInto('disputes')
      .values({ id, reference, createdAt: now, ...set })
      .onConflict((row) => row.column('id').doUpdateSet(set).where('disputes.reference', '=', reference)),
  );
  await countLostDispute(target, dispute);
  const details: { id: string; state: DisputeState } = { id, state };
  if (isNews)
    await queueEmailForOwners(transaction, services, OWNER_PAYMENT_EMAILS.dispute, reference, details);
}

/** Stores the refunds and disputes in a report. The caller has locked the payment. Repeated reports change nothing. */
export async function storeReportedMoney(
  transaction: Transaction,
  services: OutboxServices,
  { reference }: Payment,
  title: string,
  { refunds = [], disputes = [], isPolled = false }: PaymentReport,
): Promise<void> {
  if (refunds.length + disputes.length === 0) return;
  const target = { transaction, services, reference, title, isPolled };
  const known = await refundsOf(transaction, [reference]);
  for (const refund of refunds) {
    const own = known.find(({ key }) => key === refund.key);
    if (refund.key === '' || refund.paise === undefined) continue;
    if (!own) await storeForeignRefund(target, refund);
    else if (own.state === 'refunding' || isPolled)
      await changeRefund(transaction, services, own, refund.answer);
  }
  for (const dispute of disputes) await storeDispute(target, dispute);
  const payment = await lockPayment(transaction, reference);
  if (payment) await closePayment(transaction, services, payment);
}
