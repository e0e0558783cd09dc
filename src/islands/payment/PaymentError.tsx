import { Button } from '#islands/ui/Button.tsx';
import { AlertIcon } from '#islands/ui/icons.tsx';
import { paths } from '#paths.ts';
import { loadPayment } from '#stores/payment/payment.ts';

interface PaymentErrorProps {
  readonly text: string;
  readonly canRetry: boolean;
}

/** The error view of the payment. */
export const PaymentError = ({ text, canRetry }: PaymentErrorProps) => (
  <div className="payment-state">
    <AlertIcon size={40} />
    <p className="payment-state-title" role="alert">
      {text}
    </p>
    <div className="payment-actions">
      {canRetry && (
        <Button id="payment-retry" onClick={() => void loadPayment()}>
          Try Again
        </Button>
      )}
      <a className={canRetry ? 'btn btn-outline' : 'btn'} href={paths.checkout}>
        Return to checkout
      </a>
    </div>
  </div>
);
