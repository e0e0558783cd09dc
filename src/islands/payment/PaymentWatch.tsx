import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { Button } from '#islands/ui/Button.tsx';
import { payAgain } from '#stores/payment-form.ts';
import { $paymentWatch, $secondsLeft, checkAgain, watchPayment } from '#stores/payment-watch.ts';

const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** Watches the order while it is drawn, and says how that goes (resolutions 39). */
export function PaymentWatch() {
  const hasStopped = useStore($paymentWatch) === 'stopped';
  const secondsLeft = useStore($secondsLeft);
  const isOver = secondsLeft === 0;
  useEffect(watchPayment, []);
  return (
    <div className="qr-watch">
      <p role="status">
        {hasStopped || isOver ? 'No payment has arrived yet.' : 'Waiting for your payment …'}
      </p>
      <p role="timer">
        {isOver ? (
          'The time for this payment is over. If you have paid, check again; if not, try again.'
        ) : (
          <>
            Pay within <b>{clock(secondsLeft)}</b>
          </>
        )}
      </p>
      {(hasStopped || isOver) && (
        <Button look="outline" onClick={checkAgain}>
          Check again
        </Button>
      )}
      {isOver && <Button onClick={() => void payAgain()}>Try again</Button>}
    </div>
  );
}
