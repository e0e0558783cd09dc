import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import { isWithdrawable } from '#domain/order-returns.ts';
import { isPayable } from '#domain/order-status.ts';
import { Button } from '#islands/ui/Button.tsx';
import { $orderForm, cancelOrder, openOrderForm, withdrawReturn } from '#stores/orders/order-form.ts';
import {
  closeDialog,
  Dialog,
  DialogActions,
  DialogProblem,
  DialogText,
  type OrderFormProps,
} from './OrderDialog.tsx';

interface QuestionProps extends OrderFormProps {
  readonly title: string;
  readonly texts: readonly string[];
  readonly yes: string;
  readonly busy: string;
  readonly no: string;
  send(order: OrderFormProps['order'], onChange: OrderFormProps['onChange']): Promise<void>;
}

/** Asks before it changes the order. */
function Question({ order, onClose, onChange, title, texts, yes, busy, no, send }: QuestionProps) {
  const { isWorking, problem } = useStore($orderForm);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(openOrderForm, []);
  const change = (now: typeof order) => {
    closeDialog(dialog);
    onChange(now);
  };
  return (
    <Dialog title={title} dialog={dialog} onClose={onClose}>
      {texts.map((text) => (
        <DialogText key={text}>{text}</DialogText>
      ))}
      <DialogProblem>{problem}</DialogProblem>
      <DialogActions>
        <Button busy={isWorking} onClick={() => void send(order, change)}>
          {isWorking ? busy : yes}
        </Button>
        <Button variant="outline" onClick={() => dialog.current?.close()}>
          {no}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

export const CancelOrder = (props: OrderFormProps) => (
  <Question
    {...props}
    title="Cancel this order?"
    texts={[
      isPayable(props.order) && !props.order.paid
        ? 'We have no payment for it yet. If one still arrives, we return it.'
        : 'What you have paid for it goes back the way it came, and nothing is due at the door.',
      'A cancelled order stays cancelled.',
    ]}
    yes="Cancel the order"
    busy="Cancelling..."
    no="Keep it"
    send={cancelOrder}
  />
);

/** Withdraws the newest return of which the goods have not arrived. */
export const WithdrawReturn = (props: OrderFormProps) => (
  <Question
    {...props}
    title="Withdraw the return?"
    texts={['You keep the goods, and nothing is refunded for them.']}
    yes="Withdraw the return"
    busy="Withdrawing..."
    no="Close"
    send={(order, onChange) =>
      withdrawReturn(order, order.returns?.findLast(isWithdrawable)?.number ?? 0, onChange)
    }
  />
);
