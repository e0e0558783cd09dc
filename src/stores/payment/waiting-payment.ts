import { PAYMENT_VALID_MS } from '#domain/payment.ts';
import { decodeHandover, type Handover } from '#domain/payment-handover.ts';
import { tabStorage } from '#stores/shell/storage.ts';

/**
 * A payment that was started and is not yet seen to arrive: kept for this tab, so that a reload, or a phone that threw
 * the page out while its UPI app was open, comes back to it and starts no second one (faults 75).
 */
export interface WaitingPayment {
  readonly orderId: string;
  readonly handover: Handover;
  /** In ms of this device's clock. */
  readonly validUntil: number;
}

const KEY = 'waiting-payment';

export const keepWaiting = (waiting: WaitingPayment): void => tabStorage.write(KEY, JSON.stringify(waiting));

export const forgetWaiting = (): void => void tabStorage.take(KEY);

/** The payment that is still waited for; nothing for another order, or when its time is over. */
export function readWaiting(orderId: string): Omit<WaitingPayment, 'orderId'> | undefined {
  try {
    const kept: Partial<Record<keyof WaitingPayment, unknown>> | null = JSON.parse(
      tabStorage.read(KEY) ?? 'null',
    );
    const handover = decodeHandover(kept?.handover);
    const left = Number(kept?.validUntil) - Date.now();
    if (!handover || kept?.orderId !== orderId || !(left > 0 && left <= PAYMENT_VALID_MS)) return undefined;
    return { handover, validUntil: Date.now() + left };
  } catch {
    return undefined;
  }
}
