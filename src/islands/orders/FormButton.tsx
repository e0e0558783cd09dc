import { type ComponentType, useState } from 'react';
import type { Order } from '#domain/order.ts';
import { Button } from '#islands/ui/Button.tsx';
import { replaceOrder } from '#stores/orders/order-list.ts';
import { notify } from '#stores/shell/toasts.ts';

export interface OrderFormProps {
  readonly order: Order;
  onClose(): void;
  /** Takes the order as it is after the form was sent. */
  onChange(order: Order): void;
}

interface FormButtonProps {
  readonly text: string;
  readonly order: Order;
  readonly describedBy: string;
  load(): Promise<ComponentType<OrderFormProps>>;
}

/** A button that opens a form about an order. The form's code is loaded when it is pressed. */
export function FormButton({ text, order, describedBy, load }: FormButtonProps) {
  const [form, setForm] = useState<{ readonly Form?: ComponentType<OrderFormProps> }>();
  const close = () => setForm(undefined);
  const open = () => {
    setForm({});
    load().then(
      (Form) => setForm({ Form }),
      () => {
        close();
        notify({ title: 'Error', text: 'The connection may be slow. Please try again.', tone: 'error' });
      },
    );
  };
  return (
    <>
      <Button look="ghost" busy={form !== undefined && !form.Form} describedBy={describedBy} onClick={open}>
        {text}
      </Button>
      {form?.Form && <form.Form order={order} onClose={close} onChange={replaceOrder} />}
    </>
  );
}
