import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { Button } from '#islands/ui/Button.tsx';
import { $paymentWatch, checkAgain, watchPayment } from '#stores/payment-watch.ts';

/** Watches the order while it is drawn, and says how that goes (resolutions 39). */
export function PaymentWatch() {
  const hasStopped = useStore($paymentWatch) === 'stopped';
  useEffect(watchPayment, []);
  return (
    <div className="qr-watch">
      <p role="status">{hasStopped ? 'No payment has arrived yet.' : 'Waiting for your payment …'}</p>
      {hasStopped && (
        <Button look="outline" onClick={checkAgain}>
          Check again
        </Button>
      )}
    </div>
  );
}
