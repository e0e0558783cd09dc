import { Skeleton } from '#islands/ui/Skeleton.tsx';

export const CartSkeleton = () => (
  <div className="cart-columns" aria-hidden="true">
    <div className="cart-lines">
      {[1, 2].map((row) => (
        <div className="cart-row" key={row}>
          <Skeleton className="thumb" />
          <div className="cart-row-text">
            <Skeleton className="cart-bone-name" />
            <Skeleton className="cart-bone-stepper" />
          </div>
        </div>
      ))}
    </div>
    <div className="cart-summary">
      <Skeleton className="cart-bone-summary" />
    </div>
  </div>
);
