import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { Order } from '#domain/order.ts';
import { isPaid, statusOf } from '#domain/order-status.ts';
import { Button } from '#islands/ui/Button.tsx';
import { OrderNumber, StatusBadge } from '#islands/ui/Facts.tsx';
import { useFocusAfterRemoval } from '#islands/ui/hooks.ts';
import { Island, Skeleton } from '#islands/ui/Island.tsx';
import { AlertIcon, CircleCheckIcon } from '#islands/ui/icons.tsx';
import { Steps } from '#islands/ui/Steps.tsx';
import { paths } from '#paths.ts';
import { $session, LOADING_SESSION } from '#stores/account/session.ts';
import {
  $payment,
  LOADING_PAYMENT,
  loadPayment,
  openPayment,
  type Payment as PaymentPage,
} from '#stores/payment/payment.ts';
import { OrderToPay, PaymentForm } from './PaymentForm.tsx';
import { QrView } from './QrView.tsx';

const ClosedOrder = ({ order }: { readonly order: Order }) => (
  <div className="payment-state">
    {isPaid(order) ? <CircleCheckIcon size={40} /> : <AlertIcon size={40} />}
    <p id="payment-closed" className="payment-state-title" role="alert" tabIndex={-1}>
      {statusOf(order.status).closedReason}
    </p>
    <p className="payment-number">
      Order <OrderNumber id={order.id} />
    </p>
    <StatusBadge status={order.status} />
    <div className="payment-actions">
      <a className="btn" href={paths.orders}>
        View My Orders
      </a>
      <a className="btn btn-outline" href={paths.products}>
        Browse Products
      </a>
    </div>
  </div>
);

interface PaymentErrorProps {
  readonly text: string;
  readonly canRetry: boolean;
}

const PaymentError = ({ text, canRetry }: PaymentErrorProps) => (
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

/** Shown until the session is known, so it contains no text. */
const PaymentSkeleton = () => (
  <div className="payment-skeleton" aria-hidden="true">
    <Skeleton className="payment-bone-steps" />
    <Skeleton className="payment-bone-order" />
    <Skeleton className="payment-bone-field" />
    <Skeleton className="payment-bone-field" />
    <Skeleton className="payment-bone-button" />
  </div>
);

function View(payment: Exclude<PaymentPage, { view: 'loading' }>) {
  switch (payment.view) {
    case 'error':
      return <PaymentError {...payment} />;
    case 'closed':
      return <ClosedOrder order={payment.order} />;
    case 'qr':
      return <QrView handover={payment.handover} />;
    case 'form':
      return (
        <>
          <Steps current="Payment" />
          <OrderToPay />
          <PaymentForm fields={payment.fields} />
        </>
      );
  }
}

export function Payment() {
  const session = useStore($session, { ssr: () => LOADING_SESSION });
  const payment = useStore($payment, { ssr: () => LOADING_PAYMENT });
  useEffect(openPayment, []);
  useFocusAfterRemoval(Number(payment.view === 'error'), 'payment-form', 'payment-closed', 'payment-retry');
  const isWaiting = session.status !== 'signed-in' || payment.view === 'loading';
  return <Island>{isWaiting ? <PaymentSkeleton /> : <View {...payment} />}</Island>;
}
