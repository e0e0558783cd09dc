import { atom } from 'nanostores';
import { isPaid, statusOf } from '#domain/order-status.ts';
import { PAYMENT_VALID_MS } from '#domain/payment.ts';
import { paths } from '#paths.ts';
import { replaceWith } from '#stores/shell/navigation.ts';
import { $orderToPay, $payment, fetchOrderToPay } from './payment.ts';
import { clearPending } from './pending-payment.ts';

/** After 'stopped' the customer has to press Check again. */
export type PaymentWatch = 'watching' | 'checking' | 'stopped';

export const $paymentWatch = atom<PaymentWatch>('watching');

/** Units: whole seconds until this payment expires; 0 when a new one is needed. */
export const $secondsLeft = atom(0);

const FIRST_PAUSE_MS = 3_000;
const LONGEST_PAUSE_MS = 15_000;
const BACKOFF = 1.25;
const SECOND_MS = 1_000;

let timer: ReturnType<typeof setTimeout> | undefined;
let pause = FIRST_PAUSE_MS;
/** When polling ends. Units: ms since 1970. */
let watchUntil = 0;
let validUntil = 0;

const isWaiting = (): boolean => $payment.get().view === 'qr';

/** Polls GET /orders once. Only the order's status proves a payment, never a return from the app. */
async function check(): Promise<void> {
  if (!isWaiting() || $paymentWatch.get() === 'checking') return;
  clearTimeout(timer);
  $paymentWatch.set('checking');
  await fetchOrderToPay();
  $paymentWatch.set('watching');
  if (!isWaiting()) return;
  const { order } = $orderToPay.get();
  if (order && isPaid(order)) {
    clearPending();
    replaceWith(paths.orderSuccess);
  } else if (order && statusOf(order.status).needsRefund) $payment.set({ view: 'closed', order });
  else scheduleCheck();
}

function scheduleCheck(): void {
  if (document.visibilityState === 'hidden') return;
  if (Date.now() >= watchUntil) {
    $paymentWatch.set('stopped');
    return;
  }
  timer = setTimeout(() => void check(), pause);
  pause = Math.min(pause * BACKOFF, LONGEST_PAUSE_MS);
}

function countDown(): void {
  $secondsLeft.set(Math.max(0, Math.ceil((validUntil - Date.now()) / SECOND_MS)));
}

function beginWatch(): void {
  pause = FIRST_PAUSE_MS;
  watchUntil = Date.now() + PAYMENT_VALID_MS;
}

export function checkAgain(): void {
  beginWatch();
  void check();
}

/** A hidden page does not poll. It polls at once when it is shown again, as after a return from the app. */
function onVisibility(): void {
  if (document.visibilityState === 'hidden') clearTimeout(timer);
  else if ($paymentWatch.get() !== 'stopped') void check();
}

/** Polls the order while the QR view is open, and counts down. Returns a function that stops it. */
export function watchPayment(): () => void {
  const payment = $payment.get();
  beginWatch();
  validUntil = payment.view === 'qr' ? payment.validUntil : 0;
  countDown();
  $paymentWatch.set('watching');
  scheduleCheck();
  const clock = setInterval(countDown, SECOND_MS);
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    clearTimeout(timer);
    clearInterval(clock);
    document.removeEventListener('visibilitychange', onVisibility);
  };
}
