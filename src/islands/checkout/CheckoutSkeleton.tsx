import { Skeleton } from '#islands/ui/Island.tsx';

const FIELDS = [1, 2, 3, 4, 5, 6];

/** Shown until the user is known, so it contains no text. */
export const CheckoutSkeleton = () => (
  <div aria-hidden="true">
    <Skeleton className="checkout-bone-steps" />
    <div className="checkout-columns">
      <Skeleton className="checkout-bone-summary" />
      <div className="form">
        {FIELDS.map((field) => (
          <Skeleton key={field} className="checkout-bone-field" />
        ))}
      </div>
    </div>
  </div>
);
