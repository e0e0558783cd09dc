import { type Fields, fieldsOf, parseJson } from '#domain/json.ts';
import { decodeHandover, type Handover, PAYMENT_VALID_MS } from '#domain/payment.ts';
import { readStored, removeStored, writeStored } from '#stores/shell/storage.ts';

export const ORDER_TO_PAY = 'order-to-pay';
export const PENDING_PAYMENT = 'pending-payment';

/**
 * A payment that has started but not arrived. It is stored for all tabs, so that the page returns to it instead of
 * starting a second one after a reload, or after a phone has closed the page behind its UPI app.
 */
export interface PendingPayment {
  readonly orderId: string;
  readonly handover: Handover;
  /** Units: ms since 1970, by the clock of this device. */
  readonly validUntil: number;
}

/** A payment may arrive after its time is over: until then its page asks whether it has. */
const SHOWN_MS = 24 * 60 * 60_000;

export const storePending = (pending: PendingPayment): void =>
  void writeStored(PENDING_PAYMENT, JSON.stringify(pending));

export const clearPending = (): void => removeStored(PENDING_PAYMENT);

/** Returns undefined if the stored payment belongs to another order or was started long ago. */
export function readPending(orderId: string): Omit<PendingPayment, 'orderId'> | undefined {
  const stored: Fields<keyof PendingPayment> = fieldsOf(parseJson(readStored(PENDING_PAYMENT)));
  const handover = decodeHandover(stored.handover);
  const left = Number(stored.validUntil) - Date.now();
  if (!handover || stored.orderId !== orderId || !(left > -SHOWN_MS && left <= PAYMENT_VALID_MS))
    return undefined;
  return { handover, validUntil: Date.now() + left };
}
