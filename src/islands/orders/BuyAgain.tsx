import { useStore } from '@nanostores/react';
import { formatRupees } from '#domain/money.ts';
import type { Order } from '#domain/order.ts';
import { Button } from '#islands/ui/Button.tsx';
import { UnavailableItems } from '#islands/ui/UnavailableItems.tsx';
import { paths } from '#paths.ts';
import { $reorders, buyAgain, type Reorder } from '#stores/cart/reorder.ts';

function Outcome({ added, missing, repriced }: Extract<Reorder, { status: 'done' }>) {
  return (
    <>
      <p>
        {added === 0 ? (
          'Nothing of this order can be bought today.'
        ) : (
          <>
            In your cart at today’s prices. <a href={paths.cart}>View cart</a>
          </>
        )}
      </p>
      {repriced.length > 0 && (
        <ul>
          {repriced.map(({ name, was, now }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two of one name may stand here
            <li key={index}>
              <span translate="no">{name}</span>: was {formatRupees(was)}, now {formatRupees(now)}
            </li>
          ))}
        </ul>
      )}
      <UnavailableItems missing={missing} />
    </>
  );
}

interface BuyAgainProps {
  readonly order: Order;
  readonly describedBy: string;
}

/** Puts the items of an order into the cart at today's prices, and lists those that cannot be ordered. */
export function BuyAgain({ order, describedBy }: BuyAgainProps) {
  const reorder = useStore($reorders).get(order.id);
  const isWorking = reorder?.status === 'working';
  return (
    <>
      <Button look="outline" busy={isWorking} describedBy={describedBy} onClick={() => void buyAgain(order)}>
        {isWorking ? 'Looking up prices …' : 'Buy again'}
      </Button>
      <div className="order-again" role="status">
        {reorder?.status === 'done' && <Outcome {...reorder} />}
      </div>
    </>
  );
}
