import type { Paise } from '#domain/money.ts';
import { hasEnded } from '#server/admin/order-status.ts';
import { queueEmail, TAKE_BACK_WITHIN } from '#server/email/outbox.ts';
import type { StoredOrder } from '#server/orders/stored-orders.ts';
import {
  adjust,
  type Book,
  insertAdjustment,
  insertMovement,
  lockAccount,
  type NewAdjustment,
  recount,
  reverseAdjustmentsOf,
  setMovement,
} from './book.ts';
import { LEDGER_EMAILS } from './emails.ts';
import type { Way } from './labels.ts';
import { type Adjustment, holdings, type Movement, movementsOf } from './movements.ts';

/* Money that goes back, and money that is to go back but does not. */

/** What refunds and disputes in progress would take, beyond what the order holds, together with what is still owed. */
export const shortOf = ({ owedPaise, refundingPaise, disputedPaise, heldPaise }: StoredOrder): Paise =>
  Math.max(0, owedPaise + refundingPaise + disputedPaise - heldPaise);

/**
 * After a refund or a dispute took more than was to refund, lowers what is owed by the difference: the customer does not owe
 * what went back.
 * @param short of the order before it
 */
export async function lowerByTaken(
  book: Book,
  short: Paise,
  row: Omit<NewAdjustment, 'paise'>,
): Promise<StoredOrder> {
  const order = await recount(book);
  const paise = Math.min(order.owedPaise, shortOf(order) - short);
  if (paise <= 0) return order;
  await insertAdjustment(
    book,
    hasEnded(order.status) ? { ...row, kind: 'kept', paise: -paise } : { ...row, paise },
  );
  return recount(book);
}

export interface RefundRequest {
  readonly paise: Paise;
  readonly reason: string;
  readonly lines?: Adjustment['lines'];
  readonly returnId?: string | null;
  /** The failed refund that this one replaces. */
  readonly retryOf?: string;
  /** How the staff have given it back already. Else the provider is asked to. */
  readonly byHand?: { readonly way: Way; readonly happenedOn: string; readonly externalId: string | null };
}

/** The payments that money can be given back of: by the providers to whom it was paid, or all. */
const usable = (movements: readonly Movement[], isByHand: boolean) =>
  holdings(movements).filter(({ payment }) => isByHand || payment.attempt !== null);

/** How much can be given back: in all, and by the providers to whom it was paid. */
export function refundable(order: StoredOrder, movements: readonly Movement[], isByHand = true): Paise {
  const left = usable(movements, isByHand).reduce((all, one) => all + one.left, 0);
  return Math.max(0, Math.min(left, order.heldPaise - order.refundingPaise - order.disputedPaise));
}

/** Of which payments an amount is given back: the newest that holds enough, else several, the newest first. */
function partsOf(movements: readonly Movement[], paise: Paise, isByHand: boolean) {
  const all = usable(movements, isByHand);
  const whole = all.find(({ left }) => left >= paise);
  let rest = paise;
  return (whole ? [whole] : all).flatMap(({ payment, left }) => {
    const part = Math.min(rest, left);
    rest -= part;
    return part > 0 ? [{ payment, part }] : [];
  });
}

/**
 * Gives money back: records what staff gave by hand, or requests it, for the providers to be asked. Nobody owes it any more.
 * Returns what can be given back if the amount is larger, or undefined.
 */
export async function recordRefund(
  book: Book,
  { paise, reason, lines = [], returnId = null, retryOf, byHand }: RefundRequest,
): Promise<{ readonly left: Paise } | undefined> {
  const { transaction, services, orderNumber } = book;
  let order = await lockAccount(transaction, orderNumber);
  const movements = await movementsOf(transaction, orderNumber);
  const left = refundable(order, movements, byHand !== undefined);
  if (paise <= 0 || paise > left) return { left };
  for (const [index, { payment, part }] of partsOf(movements, paise, byHand !== undefined).entries()) {
    const short = shortOf(order);
    const id = await insertMovement(book, {
      direction: 'out',
      kind: 'refund',
      way: payment.way,
      attempt: byHand ? null : payment.attempt,
      state: byHand ? 'done' : 'requested',
      ...byHand,
      paise: part,
      note: reason,
      refundOf: payment.id,
      returnId,
      retryOf: retryOf ?? null,
    });
    const row = { kind: 'refund', reason, movement: id } as const;
    // Goods that came back are not owed, even if more was paid than that.
    const goods =
      index === 0 && lines.length > 0 && retryOf === undefined ? Math.min(paise, order.owedPaise) : 0;
    if (goods > 0 && !hasEnded(order.status)) await insertAdjustment(book, { ...row, paise: goods, lines });
    order = await lowerByTaken(book, short, row);
    const email = { ...LEDGER_EMAILS.returnedByHand, waits: TAKE_BACK_WITHIN };
    if (byHand) await queueEmail(transaction, services, email, id);
  }
  if (retryOf !== undefined) await setMovement(transaction, retryOf, { needsReview: 0 });
  return undefined;
}

interface NotRefunded {
  readonly paise: Paise;
  readonly reason: string;
  /** The failed refund that is not tried again. */
  readonly failed: Movement | undefined;
}

/**
 * Decides that an amount that is to refund stays with the shop. If a failed refund stood for it, that refund is resolved, and
 * the adjustment that it caused is reversed, as far as the order holds the money.
 */
export async function doNotRefund(book: Book, { failed, paise, reason }: NotRefunded): Promise<StoredOrder> {
  const { transaction, orderNumber } = book;
  const before = await lockAccount(transaction, orderNumber);
  if (failed) {
    await setMovement(transaction, failed.id, { needsReview: 0 });
    const movements = await movementsOf(transaction, orderNumber);
    // What a refund lowered names the first try.
    for (let first: Movement | undefined = failed; first; ) {
      await reverseAdjustmentsOf(book, first.id, { note: reason });
      const { retryOf }: Movement = first;
      first = movements.find(({ id }) => id === retryOf);
    }
  }
  const order = await recount(book);
  const kept = before.toRefundPaise - order.toRefundPaise;
  const more = order.toPayPaise - before.toPayPaise;
  // The money went back in another way meanwhile.
  if (more > 0) return adjust(book, { kind: 'refund', reason, paise: more });
  const rest = Math.min(paise - kept, order.toRefundPaise);
  if (rest === 0) return order;
  const isOver = hasEnded(order.status);
  return adjust(book, { kind: isOver ? 'kept' : 'lowered', reason, paise: isOver ? rest : -rest });
}
