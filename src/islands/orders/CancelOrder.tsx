import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import { isPayable } from '#domain/order-status.ts';
import { Button } from '#islands/ui/Button.tsx';
import { cancelOrder } from '#stores/orders/cancel-order.ts';
import { $orderForm, openOrderForm } from '#stores/orders/order-form.ts';
import { closeDialog, OrderDialog, type OrderFormProps } from './OrderDialog.tsx';

export function CancelOrder({ order, onClose, onChange }: OrderFormProps) {
  const { isWorking, problem } = useStore($orderForm);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(openOrderForm, []);
  const change = (now: typeof order) => {
    closeDialog(dialog);
    onChange(now);
  };
  return (
    <OrderDialog title="Cancel this order?" dialog={dialog} onClose={onClose}>
      <p>
        {isPayable(order)
          ? 'We have no payment for it yet. If one still arrives, we return it.'
          : 'What you have paid for it goes back the way it came, and nothing is due at the door.'}
      </p>
      <p>A cancelled order stays cancelled.</p>
      <p role="alert">{problem}</p>
      <form method="dialog" className="dialog-actions">
        <Button busy={isWorking} onClick={() => void cancelOrder(order, change)}>
          {isWorking ? 'Cancelling...' : 'Cancel the order'}
        </Button>
        <Button type="submit" variant="outline">
          Keep it
        </Button>
      </form>
    </OrderDialog>
  );
}
