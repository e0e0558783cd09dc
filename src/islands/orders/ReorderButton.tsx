import { useStore } from '@nanostores/react';
import type { Order } from '#domain/order.ts';
import { Button } from '#islands/ui/Button.tsx';
import { useLazyComponent } from '#islands/ui/hooks.ts';
import { $reorders, reorder } from '#stores/cart/reorder.ts';

const fetchOutcome = () => import('./ReorderOutcome.tsx').then(({ ReorderOutcome }) => ReorderOutcome);

interface ReorderButtonProps {
  readonly order: Order;
  readonly describedBy: string;
  readonly className: string;
}

export function ReorderButton({ order, describedBy, className }: ReorderButtonProps) {
  const state = useStore($reorders).get(order.id);
  const Outcome = useLazyComponent(state !== undefined, fetchOutcome);
  const isWorking = state?.status === 'working';
  return (
    <>
      <Button
        variant="outline"
        className={className}
        busy={isWorking}
        describedBy={describedBy}
        onClick={() => void reorder(order)}
      >
        {isWorking ? 'Looking up prices …' : 'Buy again'}
      </Button>
      {/* While it is empty, it stays for screen readers but takes no gap. */}
      <div className="w-full empty:absolute" role="status">
        {Outcome && state?.status === 'done' && <Outcome {...state} />}
      </div>
    </>
  );
}
