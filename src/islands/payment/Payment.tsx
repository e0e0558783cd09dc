import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { Island } from '#islands/ui/Island.tsx';
import { Steps } from '#islands/ui/Steps.tsx';
import { useFocusAfterRemoval } from '#islands/ui/use-focus-after-removal.ts';
import { $session, LOADING_SESSION } from '#stores/account/session.ts';
import {
  $payment,
  LOADING_PAYMENT,
  openPayment,
  type Payment as PaymentPage,
} from '#stores/payment/payment.ts';
import { ClosedOrder } from './ClosedOrder.tsx';
import { OrderToPay } from './OrderToPay.tsx';
import { PaymentError } from './PaymentError.tsx';
import { PaymentForm } from './PaymentForm.tsx';
import { PaymentSkeleton } from './PaymentSkeleton.tsx';
import { QrView } from './QrView.tsx';

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

/** The payment of one order. */
export function Payment() {
  const session = useStore($session, { ssr: () => LOADING_SESSION });
  const payment = useStore($payment, { ssr: () => LOADING_PAYMENT });
  useEffect(openPayment, []);
  useFocusAfterRemoval(Number(payment.view === 'error'), 'payment-form', 'payment-closed', 'payment-retry');
  const isWaiting = session.status !== 'signed-in' || payment.view === 'loading';
  return <Island>{isWaiting ? <PaymentSkeleton /> : <View {...payment} />}</Island>;
}
