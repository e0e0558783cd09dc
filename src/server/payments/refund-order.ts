import type { Paise } from '#domain/money.ts';
import type { Transaction } from '#server/db/database.ts';
import type { OutboxServices } from '#server/email/outbox.ts';
import { lockAccount } from '#server/ledger/book.ts';
import { movementsOf, unreversed } from '#server/ledger/movements.ts';
import { type RefundRequest, recordRefund } from '#server/ledger/refund.ts';
import { notifyStaff } from '#server/staff/notifications.ts';
import { pollNext } from './stored-attempts.ts';

/** Gives money back (`recordRefund`). What the providers have to give back, they are asked for at once. */
export async function refundOrder(
  transaction: Transaction,
  services: OutboxServices,
  orderNumber: number,
  request: RefundRequest,
): Promise<{ readonly left: Paise } | undefined> {
  const refused = await recordRefund(transaction, services, orderNumber, request);
  if (refused || request.byHand) return refused;
  const requested = (await movementsOf(transaction, orderNumber)).filter(
    ({ state }) => state === 'requested',
  );
  const references = requested.flatMap(({ attempt }) => attempt ?? []);
  await pollNext(transaction, references, services.clock());
  return undefined;
}

/**
 * AUTO_REFUND: gives back what nobody asked for. Never what a refund has failed to give back, nor where staff have booked a
 * payment: it may be the same money. Returns whether it does.
 */
export async function refundBySetting(
  transaction: Transaction,
  services: OutboxServices,
  orderNumber: number,
  max: Paise,
): Promise<boolean> {
  if (!services.settings.autoRefund) return false;
  const order = await lockAccount(transaction, orderNumber);
  const rows = unreversed(await movementsOf(transaction, orderNumber));
  if (rows.some(({ kind, attempt }) => kind === 'payment' && attempt === null)) return false;
  const failed = rows.filter(({ state, needsReview }) => state === 'failed' && needsReview === 1);
  const paise = Math.min(max, order.toRefundPaise - failed.reduce((sum, row) => sum + row.paise, 0));
  if (paise <= 0) return failed.length === 0;
  const reason = 'The order was cancelled or paid before.';
  const request = { paise, reason, recordedBy: 'the shop' };
  return (await refundOrder(transaction, services, orderNumber, request)) === undefined;
}

/** After the end of an order, gives back what it holds, or tells the owners. Returns whether money is to refund. */
export async function refundEnded(
  transaction: Transaction,
  services: OutboxServices,
  orderNumber: number,
): Promise<boolean> {
  const { toRefundPaise, id } = await lockAccount(transaction, orderNumber);
  if (toRefundPaise === 0) return false;
  if (!(await refundBySetting(transaction, services, orderNumber, toRefundPaise)))
    await notifyStaff(transaction, services, 'money', id);
  return true;
}
