import { useStore } from '@nanostores/react';
import type { Order } from '#domain/order.ts';
import { Button } from '#islands/ui/Button.tsx';
import { useLater } from '#islands/ui/hooks.ts';
import { $reorders, buyAgain } from '#stores/cart/reorder.ts';

const fetchOutcome = () => import('./ReorderOutcome.tsx').then(({ ReorderOutcome }) => ReorderOutcome);

interface BuyAgainProps {
  readonly order: Order;
  readonly describedBy: string;
}

/** Puts the items of an order into the cart at today's prices, and lists those that cannot be ordered. */
export function BuyAgain({ order, describedBy }: BuyAgainProps) {
  const reorder = useStore($reorders).get(order.id);
  const Outcome = useLater(reorder !== undefined, fetchOutcome);
  const isWorking = reorder?.status === 'working';
  return (
    <>
      <Button look="outline" busy={isWorking} describedBy={describedBy} onClick={() => void buyAgain(order)}>
        {isWorking ? 'Looking up prices …' : 'Buy again'}
      </Button>
      <div className="order-again" role="status">
        {Outcome && reorder?.status === 'done' && <Outcome {...reorder} />}
      </div>
    </>
  );
}
