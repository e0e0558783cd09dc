import { useStore } from '@nanostores/react';
import { type FormEvent, useEffect, useId, useRef } from 'react';
import { formatOrderDate } from '#domain/date.ts';
import { RETURN_REASON_MOST, returnable } from '#domain/order-return.ts';
import { Button } from '#islands/ui/Button.tsx';
import { $orderForm, openOrderForm } from '#stores/orders/order-form.ts';
import { requestReturn } from '#stores/orders/request-return.ts';
import { closeDialog, OrderDialog, type OrderFormProps } from './OrderDialog.tsx';

export function ReturnItems({ order, onClose, onChange }: OrderFormProps) {
  const { isWorking, problem } = useStore($orderForm);
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(openOrderForm, []);
  const left = returnable(order.items, order.returns ?? []);
  const send = (event: FormEvent<HTMLFormElement>) => {
    const { submitter } = event.nativeEvent as SubmitEvent;
    if (submitter?.getAttribute('value') === 'close') return;
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const lines = left.map((_, line) => ({ line, quantity: Number(form.get(`line-${line}`) ?? 0) }));
    void requestReturn(
      order,
      String(form.get('reason') ?? ''),
      lines.filter(({ quantity }) => quantity > 0),
      (now) => {
        closeDialog(dialog);
        onChange(now);
      },
    );
  };
  return (
    <OrderDialog title="Return items" dialog={dialog} onClose={onClose}>
      {order.returnUntil && <p>{`You can ask until ${formatOrderDate(order.returnUntil)}.`}</p>}
      <form method="dialog" onSubmit={send}>
        {order.items.map(({ name }, line) => {
          const most = left[line] ?? 0;
          if (most === 0) return null;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: an item is identified by its position in the order
            <p key={line} className="dialog-field">
              <label htmlFor={`${id}-${line}`} translate="no">
                {name}
              </label>
              <select id={`${id}-${line}`} name={`line-${line}`}>
                {Array.from({ length: Math.min(most, 100) + 1 }, (_, pieces) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the pieces are the value
                  <option key={pieces} value={pieces}>
                    {pieces}
                  </option>
                ))}
              </select>
            </p>
          );
        })}
        <p className="dialog-field dialog-long">
          <label htmlFor={`${id}-reason`}>Why do you return it?</label>
          <textarea id={`${id}-reason`} name="reason" rows={3} maxLength={RETURN_REASON_MOST} />
        </p>
        <p role="alert">{problem}</p>
        <div className="dialog-actions">
          <Button type="submit" busy={isWorking}>
            {isWorking ? 'Sending...' : 'Ask for the return'}
          </Button>
          <button type="submit" value="close" className="btn btn-outline">
            Close
          </button>
        </div>
      </form>
    </OrderDialog>
  );
}
