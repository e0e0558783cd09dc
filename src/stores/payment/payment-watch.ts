import { atom, computed, onMount } from 'nanostores';
import { isPaid, statusOf } from '#domain/order-status.ts';
import { PAYMENT_VALID_MS } from '#domain/payment.ts';
import { paths } from '#paths.ts';
import { onEvents, stopAll } from '#stores/shell/events.ts';
import { replaceWith } from '#stores/shell/navigation.ts';
import { $orderToPay, $payment, fetchOrderToPay } from './payment.ts';
import { clearPending } from './pending-payment.ts';

/** After 'stopped' the customer has to press Check again. */
export type PaymentWatch = 'watching' | 'checking' | 'stopped';

export const $paymentWatch = atom<PaymentWatch>('watching');

const FIRST_PAUSE_MS = 3_000;
const MAX_PAUSE_MS = 15_000;
const BACKOFF = 1.25;
const SECOND_MS = 1_000;

/** Units: ms since 1970. */
const $now = atom(Date.now());

onMount($now, () => {
  const tick = (): void => $now.set(Date.now());
  tick();
  const clock = setInterval(tick, SECOND_MS);
  return () => clearInterval(clock);
});

/** Units: whole seconds until this payment expires; 0 when a new one is needed. */
export const $secondsLeft = computed([$now, $payment], (now, payment) =>
  payment.view === 'qr' ? Math.max(0, Math.ceil((payment.validUntil - now) / SECOND_MS)) : 0,
);

let timer: ReturnType<typeof setTimeout> | undefined;
let pause = FIRST_PAUSE_MS;
/** When polling ends. Units: ms since 1970. */
let watchUntil = 0;

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
  } else if (order && (order.payOnDelivery || statusOf(order.status).needsRefund))
    $payment.set({ view: 'closed', order });
  else scheduleCheck();
}

function scheduleCheck(): void {
  if (document.visibilityState === 'hidden') return;
  if (Date.now() >= watchUntil) {
    $paymentWatch.set('stopped');
    return;
  }
  timer = setTimeout(() => void check(), pause);
  pause = Math.min(pause * BACKOFF, MAX_PAUSE_MS);
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

/** Polls the order while the QR view is open. Returns a function that stops it. */
export function watchPayment(): () => void {
  beginWatch();
  $paymentWatch.set('watching');
  scheduleCheck();
  return stopAll(onEvents(['visibilitychange'], onVisibility), () => clearTimeout(timer));
}
