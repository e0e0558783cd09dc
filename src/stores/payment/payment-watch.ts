import { atom } from 'nanostores';
import { isPaid, STATUS } from '#domain/order.ts';
import { PAYMENT_VALID_MS } from '#domain/payment.ts';
import { paths } from '#paths.ts';
import { replaceWith } from '#stores/shell/navigation.ts';
import { $paidOrder, $payment, readOrder } from './payment.ts';
import { forgetWaiting } from './waiting-payment.ts';

/** 'stopped': the shopper is asked to check again. */
export type PaymentWatch = 'watching' | 'checking' | 'stopped';

export const $paymentWatch = atom<PaymentWatch>('watching');

/** Whole seconds in which this payment can still be made; 0 when a new one is needed. */
export const $secondsLeft = atom(0);

const FIRST_PAUSE_MS = 3_000;
const LONGEST_PAUSE_MS = 15_000;
const BACKOFF = 1.25;
const SECOND_MS = 1_000;

let timer: ReturnType<typeof setTimeout> | undefined;
let pause = FIRST_PAUSE_MS;
/** Asked until then; later only when asked to. */
let watchUntil = 0;
let validUntil = 0;

const isWaiting = (): boolean => $payment.get().view === 'qr';

/** Asks GET /orders once (resolutions 39). The order alone says whether it is paid, never an app that came back. */
async function check(): Promise<void> {
  if (!isWaiting() || $paymentWatch.get() === 'checking') return;
  clearTimeout(timer);
  $paymentWatch.set('checking');
  await readOrder();
  $paymentWatch.set('watching');
  if (!isWaiting()) return;
  const { order } = $paidOrder.get();
  if (order && isPaid(order)) {
    forgetWaiting();
    replaceWith(paths.orderSuccess);
  } else if (order?.status === STATUS.cancelled) $payment.set({ view: 'closed', order });
  else plan();
}

function plan(): void {
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

/** Starts over: asks at once, then now and then for some minutes. */
export function checkAgain(): void {
  beginWatch();
  void check();
}

/** A hidden page asks nothing; one that is seen again (the shopper comes back from the app) asks at once. */
function onVisibility(): void {
  if (document.visibilityState === 'hidden') clearTimeout(timer);
  else if ($paymentWatch.get() !== 'stopped') void check();
}

/** Watches the order while the QR view is open, and counts its time down. Returns the way to stop. */
export function watchPayment(): () => void {
  const payment = $payment.get();
  beginWatch();
  validUntil = payment.view === 'qr' ? payment.validUntil : 0;
  countDown();
  $paymentWatch.set('watching');
  plan();
  const clock = setInterval(countDown, SECOND_MS);
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    clearTimeout(timer);
    clearInterval(clock);
    document.removeEventListener('visibilitychange', onVisibility);
  };
}
