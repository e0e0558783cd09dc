import type { Paise } from '#domain/money.ts';
import { type Book, lockAccount } from '#server/ledger/book.ts';
import { failedPaise, movementsOf, unreversed } from '#server/ledger/movements.ts';
import { type RefundRequest, recordRefund } from '#server/ledger/refund.ts';
import { notifyStaff } from '#server/staff/notifications.ts';
import { setAttempt } from './stored-attempts.ts';

/** Gives money back (`recordRefund`). What the providers have to give back, they are asked for at once. */
export async function refundOrder(
  book: Book,
  request: RefundRequest,
): Promise<{ readonly left: Paise } | undefined> {
  const refused = await recordRefund(book, request);
  if (refused || request.byHand) return refused;
  const { transaction, services, orderNumber } = book;
  const due = { nextPollAt: services.clock(), polledAt: null };
  for (const { state, attempt } of await movementsOf(transaction, orderNumber))
    if (state === 'requested' && attempt !== null) await setAttempt(transaction, attempt, due);
  return undefined;
}

/**
 * AUTO_REFUND: gives back what nobody asked for. Never what a refund has failed to give back, nor where staff have booked a
 * payment: it may be the same money. Returns whether it does.
 */
export async function refundBySetting(book: Omit<Book, 'recordedBy'>, max: Paise): Promise<boolean> {
  const { transaction, services, orderNumber } = book;
  if (!services.settings.autoRefund) return false;
  const order = await lockAccount(transaction, orderNumber);
  const movements = await movementsOf(transaction, orderNumber);
  if (unreversed(movements).some(({ kind, attempt }) => kind === 'payment' && attempt === null)) return false;
  const failed = failedPaise(movements);
  const paise = Math.min(max, order.toRefundPaise - failed);
  if (paise <= 0) return failed === 0;
  const request = { paise, reason: 'The order was cancelled or paid before.' };
  return (await refundOrder({ ...book, recordedBy: 'the shop' }, request)) === undefined;
}

/** After the end of an order, gives back what it holds, or tells the owners. Returns whether money is to refund. */
export async function refundEnded(book: Omit<Book, 'recordedBy'>): Promise<boolean> {
  const { toRefundPaise, id } = await lockAccount(book.transaction, book.orderNumber);
  if (toRefundPaise === 0) return false;
  if (!(await refundBySetting(book, toRefundPaise)))
    await notifyStaff(book.transaction, book.services, 'money', id);
  return true;
}
