import type { RefObject } from 'react';
import type { Order } from '#domain/order.ts';

export interface OrderFormProps {
  readonly order: Order;
  onClose(): void;
  onChange(order: Order): void;
}

/** Closes the dialog of a listed order and moves the focus to the order: the button that opened it may be removed. */
export function closeDialog({ current }: RefObject<HTMLDialogElement | null>): void {
  const card = current?.closest('li');
  current?.close();
  card?.focus();
}
