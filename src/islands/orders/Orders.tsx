import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import { Button } from '#islands/ui/Button.tsx';
import { useFocusAfterRemoval } from '#islands/ui/hooks.ts';
import { Island, Skeleton } from '#islands/ui/Island.tsx';
import { AlertIcon, PackageIcon } from '#islands/ui/icons.tsx';
import { paths } from '#paths.ts';
import { $session, LOADING_SESSION } from '#stores/account/session.ts';
import { $orders, LOADING_ORDERS, loadOrders, showMoreOrders } from '#stores/orders/order-list.ts';
import { OrderCard } from './OrderCard.tsx';

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

/** Shown until the session is known, so it contains no text. */
const OrdersSkeleton = () => (
  <div className="orders" aria-hidden="true">
    <Card />
    <Card />
  </div>
);

const Failed = () => (
  <div className="orders-state">
    <AlertIcon size={40} />
    <h2>Your orders are not here yet</h2>
    <p>The connection may be slow. Nothing is lost.</p>
    <Button id="orders-retry" onClick={() => void loadOrders()}>
      Try Again
    </Button>
  </div>
);

const Empty = () => (
  <div className="orders-state">
    <PackageIcon size={40} />
    <h2 id="orders" tabIndex={-1}>
      No Orders Found
    </h2>
    <p>What you order will stand here.</p>
    <a className="btn" href={paths.products}>
      Browse Products
    </a>
  </div>
);

/** Moves the focus to the first of the added items, so that reading continues there. */
function useFocusOnNew(count: number) {
  const list = useRef<HTMLUListElement>(null);
  const before = useRef(0);
  useEffect(() => {
    const added = before.current > 0 && count > before.current && list.current?.children[before.current];
    before.current = count;
    if (added instanceof HTMLElement) added.focus({ preventScroll: true });
  }, [count]);
  return list;
}

function OrderList() {
  const session = useStore($session, { ssr: () => LOADING_SESSION });
  const page = useStore($orders, { ssr: () => LOADING_ORDERS });
  useFocusAfterRemoval(Number(page.status === 'failed'), 'orders', 'orders-retry');
  const list = useFocusOnNew(page.status === 'loaded' ? page.orders.length : 0);

  if (session.status !== 'signed-in' || page.status === 'loading') return <OrdersSkeleton />;
  if (page.status === 'failed') return <Failed />;
  if (page.orders.length === 0) return <Empty />;
  return (
    <>
      <ul id="orders" className="orders" aria-label="My Orders" tabIndex={-1} ref={list}>
        {page.orders.map((order) => (
          <li key={order.id} tabIndex={-1}>
            <OrderCard order={order} />
          </li>
        ))}
      </ul>
      {page.next !== undefined && (
        <p className="orders-more">
          <Button variant="outline" busy={page.isLoadingMore ?? false} onClick={() => void showMoreOrders()}>
            Show older orders
          </Button>
        </p>
      )}
    </>
  );
}

/** The customer's orders as the API sorts them: newest first. */
export const Orders = () => (
  <Island>
    <OrderList />
  </Island>
);
