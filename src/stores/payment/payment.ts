import { atom } from 'nanostores';
import type { Failure } from '#api/failure.ts';
import { fetchOrders } from '#api/orders.ts';
import { fetchPaymentFields } from '#api/payments.ts';
import type { Order } from '#domain/order.ts';
import { isPayable } from '#domain/order-status.ts';
import { type Handover, PAYMENT_FAILED } from '#domain/payment.ts';
import { arrangeFields, type PaymentField } from '#domain/payment-form.ts';
import { tidyCode } from '#domain/text.ts';
import { endsSession, privatePage } from '#stores/account/private-page.ts';
import { fetchOwnOrder, type OwnOrder } from '#stores/orders/own-order.ts';
import { queryParam } from '#stores/shell/address.ts';
import { onVisible, stopAll } from '#stores/shell/events.ts';
import { pause } from '#stores/shell/pause.ts';
import { tabStorage } from '#stores/shell/storage.ts';
import { clearPending, ORDER_TO_PAY, readPending } from './pending-payment.ts';

/** 'closed' is an order that can no longer be paid. `validUntil` is in ms since 1970. */
export type Payment =
  | { readonly view: 'loading' }
  | { readonly view: 'error'; readonly text: string; readonly canRetry: boolean }
  | { readonly view: 'form'; readonly fields: readonly PaymentField[] }
  | { readonly view: 'qr'; readonly handover: Handover; readonly validUntil: number }
  | { readonly view: 'closed'; readonly order: Order };

export const LOADING_PAYMENT: Payment = { view: 'loading' };

const ORDER_ID_MISSING = 'Order ID is missing. Please return to checkout.';
const NOT_FOUND = 'We cannot find this order in your account.';
const FORM_FAILED = 'Failed to load payment form. Please try again later.';

export const $payment = atom<Payment>(LOADING_PAYMENT);
/** The id is known at once, the order when GET /orders has answered. */
export const $orderToPay = atom<{ readonly id: string; readonly order?: Order }>({ id: '' });

const ID_LIMIT = 300;
const ORDER_WAIT_MS = 2_000;

/** The order id of the address, or else of the order that this tab opened last. */
function readOrderId(): string {
  // A gateway may have encoded what it appends.
  const [idInAddress = ''] = tidyCode(queryParam('orderId') ?? '').split(/[?&;#/]/);
  const [stored = ''] = (tabStorage.read(ORDER_TO_PAY) ?? '').split(' ');
  const id = (idInAddress || stored).slice(0, ID_LIMIT);
  if (idInAddress) tabStorage.write(ORDER_TO_PAY, id);
  return id;
}

export const hasReturnedUnpaid = (): boolean => queryParam('result') === 'failed';

function hide(): void {
  $payment.set(LOADING_PAYMENT);
  $orderToPay.set({ id: '' });
}

/** Stores the order in $orderToPay. Returns undefined if the request fails. */
export async function fetchOrderToPay(signal?: AbortSignal): Promise<OwnOrder | undefined> {
  const { id } = $orderToPay.get();
  const order = await fetchOwnOrder(id, fetchOrders, signal);
  if (order && order !== 'unknown') {
    $orderToPay.set({ id, order });
    tabStorage.write(ORDER_TO_PAY, `${id} ${order.number}`);
  }
  return order;
}

/** Fetches the order. If it cannot be paid, or not by this customer, there is no form, also where it was shown meanwhile. */
export async function closeIfSettled(signal?: AbortSignal): Promise<void> {
  const order = await fetchOrderToPay(signal);
  if (order === 'unknown') $payment.set({ view: 'error', text: NOT_FOUND, canRetry: true });
  else if (order && !isPayable(order)) $payment.set({ view: 'closed', order });
}

/** A payment that is pending stays so: its page may only have lost the network, or be left. */
export const showPaymentError = (): void =>
  $payment.set({ view: 'error', text: PAYMENT_FAILED, canRetry: true });

/** Of a code that no later attempt can show. */
export function discardPayment(): void {
  clearPending();
  showPaymentError();
}

function fail(failure: Failure): void {
  if (!endsSession(failure)) $payment.set({ view: 'error', text: FORM_FAILED, canRetry: true });
}

async function load(signal: AbortSignal): Promise<void> {
  hide();
  const id = readOrderId();
  $orderToPay.set({ id });
  if (id === '') {
    $payment.set({ view: 'error', text: ORDER_ID_MISSING, canRetry: false });
    return;
  }
  const settled = Promise.race([closeIfSettled(signal), pause(ORDER_WAIT_MS)]);
  const isOver = (): boolean => signal.aborted || $payment.get().view !== 'loading';
  const pending = readPending(id);
  // The QR view opens unless the order is another customer's. If the order could not be loaded, the view keeps polling.
  if (pending) {
    await settled;
    if (!isOver()) $payment.set({ view: 'qr', ...pending });
    return;
  }
  const [fields] = await Promise.all([fetchPaymentFields({ signal }), settled]);
  if (isOver()) return;
  if (fields.ok) $payment.set({ view: 'form', fields: arrangeFields(fields.value) });
  else fail(fields.failure);
}

$payment.listen(({ view }) => {
  if (view === 'closed') clearPending();
});

const page = privatePage({
  load,
  hide,
  hasFailed() {
    const payment = $payment.get();
    return payment.view === 'error' && payment.canRetry;
  },
});

/** Another tab, or an app, may have paid the order while this page was hidden. */
function checkShownForm(): void {
  if ($payment.get().view === 'form') void closeIfSettled();
}

export const openPayment = (): (() => void) => stopAll(onVisible(checkShownForm), page.open());
export const loadPayment = page.reload;
