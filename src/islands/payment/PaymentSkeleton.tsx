import { Skeleton } from '#islands/ui/Skeleton.tsx';

/** Steps, order, field and button without a word: nobody is known yet. */
export const PaymentSkeleton = () => (
  <div className="payment-skeleton" aria-hidden="true">
    <Skeleton className="payment-bone-steps" />
    <Skeleton className="payment-bone-order" />
    <Skeleton className="payment-bone-field" />
    <Skeleton className="payment-bone-field" />
    <Skeleton className="payment-bone-button" />
  </div>
);
