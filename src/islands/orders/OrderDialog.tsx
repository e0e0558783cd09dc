import { type ReactNode, type RefObject, useEffect, useId } from 'react';
import type { Order } from '#domain/order.ts';
import css from '#styles/dialog.css?inline';
import ownCss from './order-dialog.css?inline';

export interface OrderFormProps {
  readonly order: Order;
  onClose(): void;
  onChange(order: Order): void;
}

/* The dialog is loaded on demand, so its styles come with its script. */
const sheet = new CSSStyleSheet();
sheet.replaceSync(css + ownCss);
document.adoptedStyleSheets.push(sheet);

interface OrderDialogProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly dialog: RefObject<HTMLDialogElement | null>;
  onClose(): void;
}

/** A dialog that opens at once. Escape, or a form with the method `dialog`, closes it. */
export function OrderDialog({ title, children, dialog, onClose }: OrderDialogProps) {
  const titleId = useId();
  useEffect(() => dialog.current?.showModal(), [dialog]);
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={titleId} onClose={onClose}>
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  );
}

/** Closes the dialog of a listed order and moves the focus to the order: the button that opened it may be removed. */
export function closeDialog({ current }: RefObject<HTMLDialogElement | null>): void {
  const card = current?.closest('li');
  current?.close();
  card?.focus();
}
