import { decodeHandover, type Handover, PAYMENT_VALID_MS } from '#domain/payment.ts';
import { tabStorage } from '#stores/shell/storage.ts';

/* The keys of what the payment page stores for this tab. */

export const ORDER_TO_PAY = 'order-to-pay';
export const WAITING_PAYMENT = 'waiting-payment';

/**
 * A payment that was started and has not arrived yet. It is stored for this tab, so that the page returns to it, and
 * starts no second one, after a reload or when a phone has closed the page behind its UPI app.
 */
export interface WaitingPayment {
  readonly orderId: string;
  readonly handover: Handover;
  /** In ms since 1970, by the clock of this device. */
  readonly validUntil: number;
}

export const storeWaiting = (waiting: WaitingPayment): void =>
  tabStorage.write(WAITING_PAYMENT, JSON.stringify(waiting));

export const clearWaiting = (): void => void tabStorage.take(WAITING_PAYMENT);

/** The waiting payment; undefined if it belongs to another order or has expired. */
export function readWaiting(orderId: string): Omit<WaitingPayment, 'orderId'> | undefined {
  try {
    const stored: Partial<Record<keyof WaitingPayment, unknown>> | null = JSON.parse(
      tabStorage.read(WAITING_PAYMENT) ?? 'null',
    );
    const handover = decodeHandover(stored?.handover);
    const left = Number(stored?.validUntil) - Date.now();
    if (!handover || stored?.orderId !== orderId || !(left > 0 && left <= PAYMENT_VALID_MS)) return undefined;
    return { handover, validUntil: Date.now() + left };
  } catch {
    return undefined;
  }
}
