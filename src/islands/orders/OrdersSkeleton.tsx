import { Skeleton } from '#islands/ui/Skeleton.tsx';

const Card = () => (
  <div className="order">
    <div className="order-head">
      <Skeleton className="order-bone-id" />
      <Skeleton className="order-bone-badge" />
    </div>
    <div className="order-bone-body">
      <Skeleton className="order-bone-line" />
      <Skeleton className="order-bone-line" />
    </div>
  </div>
);

/** Shown until the user is known, so it contains no text. */
export const OrdersSkeleton = () => (
  <div className="orders" aria-hidden="true">
    <Card />
    <Card />
  </div>
);
