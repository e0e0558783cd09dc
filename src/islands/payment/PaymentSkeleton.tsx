import { Skeleton } from '#islands/ui/Skeleton.tsx';

/** Shown until the user is known, so it contains no text. */
export const PaymentSkeleton = () => (
  <div className="payment-skeleton" aria-hidden="true">
    <Skeleton className="payment-bone-steps" />
    <Skeleton className="payment-bone-order" />
    <Skeleton className="payment-bone-field" />
    <Skeleton className="payment-bone-field" />
    <Skeleton className="payment-bone-button" />
  </div>
);
