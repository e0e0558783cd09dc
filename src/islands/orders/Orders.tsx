import { useStore } from '@nanostores/react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Button, ButtonLink } from '#islands/ui/Button.tsx';
import { useFocusAfterRemoval } from '#islands/ui/hooks.ts';
import { Island, Skeleton } from '#islands/ui/Island.tsx';
import { ALERT, Icon, PACKAGE } from '#islands/ui/icons.tsx';
import { paths } from '#paths.ts';
import { $session, LOADING_SESSION } from '#stores/account/session.ts';
import { $orders, LOADING_ORDERS, loadOrders, showMoreOrders } from '#stores/orders/order-list.ts';
import { CARD, HEAD, OrderCard } from './OrderCard.tsx';

const LIST = 'mt-5 grid grid-cols-1 gap-5';

const Card = () => (
  <div className={CARD}>
    <div className={`${HEAD} min-h-27.5 md:min-h-19.5`}>
      <span className="h-10 w-[min(340px,60%)] rounded-small bg-line" />
      <span className="ms-auto h-7.5 w-25 rounded-small bg-line" />
    </div>
    <div className="grid h-74 content-start gap-4.25 p-5 md:h-55">
      <Skeleton className="h-6 rounded-small" />
      <Skeleton className="h-6 rounded-small" />
    </div>
  </div>
);

/** Shown until the session is known, so it contains no text. */
const OrdersSkeleton = () => (
  <div className={LIST} aria-hidden="true">
    <Card />
    <Card />
  </div>
);

interface NoOrdersProps {
  readonly icon: ReactNode;
  readonly id?: string;
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}

const NoOrders = ({ icon, id, title, text, children }: NoOrdersProps) => (
  <div className="grid justify-items-center gap-2.5 px-4 py-14 text-center">
    {icon}
    <h2 id={id} className="text-display" tabIndex={-1}>
      {title}
    </h2>
    <p className="text-ink2">{text}</p>
    {children}
  </div>
);

const Failed = () => (
  <NoOrders
    icon={<Icon path={ALERT} size={40} className="text-ink3" />}
    title="Your orders are not here yet"
    text="The connection may be slow. Nothing is lost."
  >
    <Button id="orders-retry" className="mt-2" onClick={() => void loadOrders()}>
      Try Again
    </Button>
  </NoOrders>
);

const Empty = () => (
  <NoOrders
    icon={<Icon path={PACKAGE} size={40} className="text-ink3" />}
    id="orders"
    title="No Orders Found"
    text="What you order will stand here."
  >
    <ButtonLink className="mt-2" href={paths.products}>
      Browse Products
    </ButtonLink>
  </NoOrders>
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
      <ul id="orders" className={LIST} aria-label="My Orders" tabIndex={-1} ref={list}>
        {page.orders.map((order) => (
          <li
            key={order.id}
            className="nth-[n+6]:[contain-intrinsic-size:auto_340px] nth-[n+6]:[content-visibility:auto]"
            tabIndex={-1}
          >
            <OrderCard order={order} />
          </li>
        ))}
      </ul>
      {page.next !== undefined && (
        <p className="mt-5 text-center">
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
