import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { Button } from '#islands/ui/Button.tsx';
import { payAgain } from '#stores/payment/payment-form.ts';
import { $paymentWatch, $secondsLeft, checkAgain, watchPayment } from '#stores/payment/payment-watch.ts';

const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

export function PaymentWatch() {
  const hasStopped = useStore($paymentWatch) === 'stopped';
  const secondsLeft = useStore($secondsLeft);
  const isOver = secondsLeft === 0;
  const [isRetrying, setRetrying] = useState(false);
  useEffect(watchPayment, []);
  const tryAgain = async (): Promise<void> => {
    setRetrying(true);
    await payAgain();
    setRetrying(false);
  };
  return (
    <div className="flex min-h-12 flex-wrap items-center gap-3 font-semibold text-ink2">
      <p role="status">
        {hasStopped || isOver ? 'No payment has arrived yet.' : 'Waiting for your payment …'}
      </p>
      <p role="timer">
        {isOver ? (
          'The time for this payment is over. If you have paid, check again; if not, try again.'
        ) : (
          <span>
            Pay within <b>{clock(secondsLeft)}</b>
          </span>
        )}
      </p>
      {(hasStopped || isOver) && (
        <Button variant="outline" onClick={checkAgain}>
          Check again
        </Button>
      )}
      {isOver && (
        <Button busy={isRetrying} onClick={() => void tryAgain()}>
          Try again
        </Button>
      )}
    </div>
  );
}
