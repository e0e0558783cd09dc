import { useStore } from '@nanostores/react';
import { type ReactNode, useEffect } from 'react';
import type { Order } from '#domain/order.ts';
import { statusOf, whyClosed } from '#domain/order-status.ts';
import { Button, ButtonLink } from '#islands/ui/Button.tsx';
import { OrderNumber, StatusBadge } from '#islands/ui/Facts.tsx';
import { useFocusAfterRemoval } from '#islands/ui/hooks.ts';
import { Island, Skeleton } from '#islands/ui/Island.tsx';
import { ALERT, CIRCLE_CHECK, Icon } from '#islands/ui/icons.tsx';
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

interface NoFormProps {
  readonly id?: string;
  /** Whether nothing went wrong. */
  readonly isGood?: boolean;
  readonly title: string | undefined;
  readonly children?: ReactNode;
  readonly actions: ReactNode;
}

/** Why this order cannot be paid here, and what else can be done. */
const NoForm = ({ id, isGood = false, title, children, actions }: NoFormProps) => (
  <div className="mt-5 grid justify-items-center gap-3.5 px-4 py-11 text-center">
    {isGood ? (
      <Icon path={CIRCLE_CHECK} size={40} className="text-ink3" />
    ) : (
      <Icon path={ALERT} size={40} className="text-ink3" />
    )}
    <p
      id={id}
      className="text-balance font-bold font-heading text-heading leading-[1.2] tracking-[-0.028em]"
      role="alert"
      tabIndex={-1}
    >
      {title}
    </p>
    {children}
    <div className="mt-2 flex flex-wrap justify-center gap-3">{actions}</div>
  </div>
);

const ClosedOrder = ({ order }: { readonly order: Order }) => (
  <NoForm
    id="payment-closed"
    isGood={!statusOf(order.status).needsRefund}
    title={whyClosed(order)}
    actions={
      <>
        <ButtonLink href={paths.orders}>View My Orders</ButtonLink>
        <ButtonLink variant="outline" href={paths.products}>
          Browse Products
        </ButtonLink>
      </>
    }
  >
    <p className="text-ink2 [overflow-wrap:anywhere]">
      Order <OrderNumber {...order} />
    </p>
    <StatusBadge status={order.status} />
  </NoForm>
);

interface PaymentErrorProps {
  readonly text: string;
  readonly canRetry: boolean;
}

const PaymentError = ({ text, canRetry }: PaymentErrorProps) => (
  <NoForm
    title={text}
    actions={
      <>
        {canRetry && (
          <Button id="payment-retry" onClick={() => void loadPayment()}>
            Try Again
          </Button>
        )}
        <ButtonLink variant={canRetry ? 'outline' : 'primary'} href={paths.checkout}>
          Return to checkout
        </ButtonLink>
      </>
    }
  />
);

/** Shown until the session is known, so it contains no text. */
const PaymentSkeleton = () => (
  <div className="mt-4 grid max-w-170 gap-4 md:gap-5" aria-hidden="true">
    <Skeleton className="h-12 rounded-small" />
    <Skeleton className="h-20 rounded-small" />
    <Skeleton className="h-21 rounded-small" />
    <Skeleton className="h-21 rounded-small" />
    <Skeleton className="h-14 rounded-small md:w-60" />
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
          <div className="max-w-170">
            <Steps current="Payment" />
          </div>
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
