import { atom } from 'nanostores';
import type { Failure, Result } from '#api/failure.ts';
import { isPayable, type Order } from '#domain/order.ts';
import { PAYMENT_FAILED } from '#domain/payment.ts';
import type { PaymentField } from '#domain/payment-form.ts';
import type { Handover } from '#domain/payment-handover.ts';
import { arrangeFields } from '#domain/payment-layout.ts';
import { endsSession, openPrivatePage } from '#stores/account/private-page.ts';
import { type OwnOrder, readOwnOrder } from '#stores/orders/own-order.ts';
import { pause } from '#stores/shell/pause.ts';
import { tabStorage } from '#stores/shell/storage.ts';
import { forgetWaiting, readWaiting } from './waiting-payment.ts';

/** The views of spec 2, and an order that takes no payment any more. `validUntil` in ms of this device's clock. */
export type Payment =
  | { readonly view: 'loading' }
  | { readonly view: 'error'; readonly text: string; readonly canRetry: boolean }
  | { readonly view: 'form'; readonly fields: readonly PaymentField[] }
  | { readonly view: 'qr'; readonly handover: Handover; readonly validUntil: number }
  | { readonly view: 'closed'; readonly order: Order };

export const LOADING_PAYMENT: Payment = { view: 'loading' };

const ORDER_ID_MISSING = 'Order ID is missing. Please return to checkout.';
const FORM_FAILED = 'Failed to load payment form. Please try again later.';

export const $payment = atom<Payment>(LOADING_PAYMENT);
/** The order to pay: its number at once, the order itself when GET /orders has told. */
export const $paidOrder = atom<{ readonly id: string; readonly order?: Order }>({ id: '' });

const ORDER_KEY = 'order-to-pay';
const ID_LIMIT = 300;
/** How long the page waits to hear that the order is paid already. */
const ORDER_WAIT_MS = 2_000;

/** The number in the address, else the one this tab came to pay before (spec 2, payment). */
function readOrderId(): string {
  const asked = new URLSearchParams(location.search).get('orderId')?.trim() ?? '';
  const id = (asked || (tabStorage.read(ORDER_KEY) ?? '')).slice(0, ID_LIMIT);
  if (asked) tabStorage.write(ORDER_KEY, id);
  return id;
}

/** Whether the gateway sent the shopper back without a payment (resolutions 40). */
export const cameBackUnpaid = (): boolean => new URLSearchParams(location.search).get('result') === 'failed';

let loading = new AbortController();

function hide(): void {
  loading.abort();
  $payment.set(LOADING_PAYMENT);
  $paidOrder.set({ id: '' });
}

/** Asks GET /orders for the order to pay: $paidOrder has it then. Undefined where there is no answer. */
export async function readOrder(signal?: AbortSignal): Promise<OwnOrder | undefined> {
  const { id } = $paidOrder.get();
  const order = await readOwnOrder(id, signal);
  if (order && order !== 'unknown') $paidOrder.set({ id, order });
  return order;
}

/** Says so where the order takes no payment any more (faults 75, 76). */
export async function closeIfSettled(signal?: AbortSignal): Promise<OwnOrder | undefined> {
  const order = await readOrder(signal);
  if (order && order !== 'unknown' && !isPayable(order)) $payment.set({ view: 'closed', order });
  return order;
}

/** The error view, for what can neither be shown nor gone on with (faults 55). */
export const breakPayment = (): void => $payment.set({ view: 'error', text: PAYMENT_FAILED, canRetry: true });

async function readFields(signal: AbortSignal): Promise<Result<PaymentField[]>> {
  try {
    const { fetchPaymentFields } = await import('#api/payments.ts');
    return await fetchPaymentFields({ signal });
  } catch {
    return { ok: false, failure: { kind: 'no-answer' } };
  }
}

function fail(failure: Failure): void {
  if (!endsSession(failure)) $payment.set({ view: 'error', text: FORM_FAILED, canRetry: true });
}

/** Reads the form and the order anew (spec 4, payment flow). */
export async function loadPayment(): Promise<void> {
  hide();
  loading = new AbortController();
  const { signal } = loading;
  const id = readOrderId();
  $paidOrder.set({ id });
  if (id === '') {
    $payment.set({ view: 'error', text: ORDER_ID_MISSING, canRetry: false });
    return;
  }
  const settled = Promise.race([closeIfSettled(signal), pause(ORDER_WAIT_MS)]);
  const isOver = (): boolean => signal.aborted || $payment.get().view === 'closed';
  const waiting = readWaiting(id);
  // The watch of the code asks on where nobody has said what became of the order.
  if (waiting && (await settled) !== 'unknown') {
    if (!isOver()) $payment.set({ view: 'qr', ...waiting });
    return;
  }
  const [fields] = await Promise.all([readFields(signal), settled]);
  if (isOver()) return;
  if (fields.ok) $payment.set({ view: 'form', fields: arrangeFields(fields.value) });
  else fail(fields.failure);
}

/** A payment that ended, or cannot go on, is waited for no more. */
$payment.listen(({ view }) => {
  if (view === 'closed' || view === 'error') forgetWaiting();
});

/** Opens the payment page for whoever is signed in. Returns the way to close it. */
export const openPayment = (): (() => void) =>
  openPrivatePage({
    load: () => void loadPayment(),
    hide,
    hasFailed() {
      const payment = $payment.get();
      return payment.view === 'error' && payment.canRetry;
    },
  });
