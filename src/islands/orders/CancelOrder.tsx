import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import { isPayable } from '#domain/order-status.ts';
import { Button } from '#islands/ui/Button.tsx';
import { Dialog, DialogActions, DialogProblem, DialogText } from '#islands/ui/Dialog.tsx';
import { $orderForm, cancelOrder, openOrderForm } from '#stores/orders/order-form.ts';
import { closeDialog, type OrderFormProps } from './order-dialog.ts';

export function CancelOrder({ order, onClose, onChange }: OrderFormProps) {
  const { isWorking, problem } = useStore($orderForm);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(openOrderForm, []);
  const change = (now: typeof order) => {
    closeDialog(dialog);
    onChange(now);
  };
  return (
    <Dialog title="Cancel this order?" dialog={dialog} onClose={onClose}>
      <DialogText>
        {isPayable(order) && !order.paid
          ? 'We have no payment for it yet. If one still arrives, we return it.'
          : 'What you have paid for it goes back the way it came, and nothing is due at the door.'}
      </DialogText>
      <DialogText>A cancelled order stays cancelled.</DialogText>
      <DialogProblem>{problem}</DialogProblem>
      <DialogActions>
        <Button busy={isWorking} onClick={() => void cancelOrder(order, change)}>
          {isWorking ? 'Cancelling...' : 'Cancel the order'}
        </Button>
        <Button variant="outline" onClick={() => dialog.current?.close()}>
          Keep it
        </Button>
      </DialogActions>
    </Dialog>
  );
}
