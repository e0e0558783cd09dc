import { useStore } from '@nanostores/react';
import { type SubmitEvent, useEffect, useId, useRef } from 'react';
import { formatOrderDate } from '#domain/date.ts';
import { itemText } from '#domain/order.ts';
import { MAX_REASON_LENGTH, returnable } from '#domain/order-returns.ts';
import { Button } from '#islands/ui/Button.tsx';
import { $orderForm, openOrderForm, requestReturn } from '#stores/orders/order-form.ts';
import {
  closeDialog,
  Dialog,
  DialogActions,
  DialogProblem,
  DialogText,
  type OrderFormProps,
} from './OrderDialog.tsx';

const CONTROL = 'min-h-12 min-w-18 rounded-input border-[1.5px] border-control bg-canvas px-3 py-2 text-ink';

export function ReturnItems({ order, onClose, onChange }: OrderFormProps) {
  const { isWorking, problem } = useStore($orderForm);
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(openOrderForm, []);
  const left = returnable(order.items, order.returns ?? []);
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const lines = [...left.keys()].map((line) => ({
      line,
      quantity: Number(form.get(`line-${line}`) ?? 0),
    }));
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
    <Dialog title="Return items" dialog={dialog} onClose={onClose}>
      {order.returnUntil && (
        <DialogText>{`You can ask until ${formatOrderDate(order.returnUntil)}.`}</DialogText>
      )}
      <form onSubmit={send}>
        {order.items.map((item) => {
          const { line = '' } = item;
          const max = left.get(line) ?? 0;
          if (max <= 0) return null;
          return (
            <DialogText key={line} className="flex items-center justify-between gap-3">
              <label htmlFor={`${id}-${line}`} translate="no">
                {itemText(item)}
              </label>
              <select id={`${id}-${line}`} className={CONTROL} name={`line-${line}`}>
                {Array.from({ length: Math.min(max, 100) + 1 }, (_, pieces) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the pieces are the value
                  <option key={pieces} value={pieces}>
                    {pieces}
                  </option>
                ))}
              </select>
            </DialogText>
          );
        })}
        <DialogText>
          <label htmlFor={`${id}-reason`}>Why do you return it?</label>
          <textarea
            id={`${id}-reason`}
            className={`${CONTROL} mt-1.5 w-full`}
            name="reason"
            rows={3}
            maxLength={MAX_REASON_LENGTH}
          />
        </DialogText>
        <DialogProblem>{problem}</DialogProblem>
        <DialogActions>
          <Button type="submit" busy={isWorking}>
            {isWorking ? 'Sending...' : 'Ask for the return'}
          </Button>
          <Button variant="outline" onClick={() => dialog.current?.close()}>
            Close
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
