import { atom } from 'nanostores';
import { isPaid, STATUS } from '#domain/order.ts';
import { paths } from '#paths.ts';
import { replaceWith } from './navigation.ts';
import { $payment, readOrder } from './payment.ts';

/** 'stopped': the shopper is asked to check again. */
export type PaymentWatch = 'watching' | 'checking' | 'stopped';

export const $paymentWatch = atom<PaymentWatch>('watching');

const FIRST_PAUSE_MS = 3_000;
const LONGEST_PAUSE_MS = 15_000;
const BACKOFF = 1.25;
/** Asked for this long, pauses added up; then only when asked to. */
const PATIENCE_MS = 5 * 60_000;

let timer: ReturnType<typeof setTimeout> | undefined;
let pause = FIRST_PAUSE_MS;
let waited = 0;

const isWaiting = (): boolean => $payment.get().view === 'qr';

/** Asks GET /orders once (resolutions 39). The order alone says whether it is paid, never an app that came back. */
async function check(): Promise<void> {
  if (!isWaiting() || $paymentWatch.get() === 'checking') return;
  clearTimeout(timer);
  $paymentWatch.set('checking');
  const order = await readOrder().catch(() => undefined);
  $paymentWatch.set('watching');
  if (!isWaiting()) return;
  if (order && isPaid(order)) replaceWith(paths.orderSuccess);
  else if (order?.status === STATUS.cancelled) $payment.set({ view: 'closed', order });
  else plan();
}

function plan(): void {
  if (document.visibilityState === 'hidden') return;
  if (waited >= PATIENCE_MS) {
    $paymentWatch.set('stopped');
    return;
  }
  waited += pause;
  timer = setTimeout(() => void check(), pause);
  pause = Math.min(pause * BACKOFF, LONGEST_PAUSE_MS);
}

/** Starts over: asks at once, then now and then for some minutes. */
export function checkAgain(): void {
  pause = FIRST_PAUSE_MS;
  waited = 0;
  void check();
}

/** A hidden page asks nothing; one that is seen again (the shopper comes back from the app) asks at once. */
function onVisibility(): void {
  if (document.visibilityState === 'hidden') clearTimeout(timer);
  else if ($paymentWatch.get() !== 'stopped') void check();
}

/** Watches the order while the QR view is open. Returns the way to stop. */
export function watchPayment(): () => void {
  pause = FIRST_PAUSE_MS;
  waited = 0;
  $paymentWatch.set('watching');
  plan();
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onVisibility);
  };
}
