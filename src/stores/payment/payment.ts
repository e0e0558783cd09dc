import { atom } from 'nanostores';
import type { Failure } from '#api/failure.ts';
import { fetchPaymentFields } from '#api/payments.ts';
import type { Order } from '#domain/order.ts';
import { isPayable } from '#domain/order-status.ts';
import { type Handover, PAYMENT_FAILED } from '#domain/payment.ts';
import { arrangeFields, type PaymentField } from '#domain/payment-form.ts';
import { endsSession, privatePage } from '#stores/account/private-page.ts';
import { fetchOwnOrder, type OwnOrder } from '#stores/orders/own-order.ts';
import { queryParam } from '#stores/shell/navigation.ts';
import { pause } from '#stores/shell/pause.ts';
import { tabStorage } from '#stores/shell/storage.ts';
import { clearWaiting, ORDER_TO_PAY, readWaiting } from './waiting-payment.ts';

/** The views of the payment page, and 'closed' for an order that cannot be paid any more. `validUntil` is in ms since 1970. */
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
/** The order to pay. Its id is known at once, the order itself when GET /orders has answered. */
export const $orderToPay = atom<{ readonly id: string; readonly order?: Order }>({ id: '' });

const ID_LIMIT = 300;
/** How long the page waits to learn whether the order is already paid. */
const ORDER_WAIT_MS = 2_000;

/** The order id in the address, or else the one that this tab opened last. */
function readOrderId(): string {
  const idInAddress = queryParam('orderId')?.trim() ?? '';
  const id = (idInAddress || (tabStorage.read(ORDER_TO_PAY) ?? '')).slice(0, ID_LIMIT);
  if (idInAddress) tabStorage.write(ORDER_TO_PAY, id);
  return id;
}

/** Whether the gateway sent the shopper back without a payment. */
export const cameBackUnpaid = (): boolean => queryParam('result') === 'failed';

function hide(): void {
  $payment.set(LOADING_PAYMENT);
  $orderToPay.set({ id: '' });
}

/** Fetches the order to pay and stores it in $paidOrder. Returns undefined if the request fails. */
export async function fetchOrderToPay(signal?: AbortSignal): Promise<OwnOrder | undefined> {
  const { id } = $orderToPay.get();
  const order = await fetchOwnOrder(id, signal);
  if (order && order !== 'unknown') $orderToPay.set({ id, order });
  return order;
}

/** Fetches the order, and opens the closed view if it cannot be paid any more. */
export async function closeIfSettled(signal?: AbortSignal): Promise<OwnOrder | undefined> {
  const order = await fetchOrderToPay(signal);
  if (order && order !== 'unknown' && !isPayable(order)) $payment.set({ view: 'closed', order });
  return order;
}

/** Opens the error view, for a payment that cannot continue. */
export const showPaymentError = (): void =>
  $payment.set({ view: 'error', text: PAYMENT_FAILED, canRetry: true });

function fail(failure: Failure): void {
  if (!endsSession(failure)) $payment.set({ view: 'error', text: FORM_FAILED, canRetry: true });
}

/** Loads the form and the order. */
async function load(signal: AbortSignal): Promise<void> {
  hide();
  const id = readOrderId();
  $orderToPay.set({ id });
  if (id === '') {
    $payment.set({ view: 'error', text: ORDER_ID_MISSING, canRetry: false });
    return;
  }
  const settled = Promise.race([closeIfSettled(signal), pause(ORDER_WAIT_MS)]);
  const isOver = (): boolean => signal.aborted || $payment.get().view === 'closed';
  const waiting = readWaiting(id);
  // The QR view opens unless the order is another user's. If the order could not be loaded, the view keeps checking.
  if (waiting && (await settled) !== 'unknown') {
    if (!isOver()) $payment.set({ view: 'qr', ...waiting });
    return;
  }
  const [fields] = await Promise.all([fetchPaymentFields({ signal }), settled]);
  if (isOver()) return;
  if (fields.ok) $payment.set({ view: 'form', fields: arrangeFields(fields.value) });
  else fail(fields.failure);
}

/** After these views there is no payment to wait for. */
$payment.listen(({ view }) => {
  if (view === 'closed' || view === 'error') clearWaiting();
});

const page = privatePage({
  load,
  hide,
  hasFailed() {
    const payment = $payment.get();
    return payment.view === 'error' && payment.canRetry;
  },
});

/** Opens the payment page for a signed-in user. Returns a function that closes it. */
export const openPayment = page.open;
/** Loads the form and the order again. */
export const loadPayment = page.reload;
