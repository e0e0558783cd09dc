import { type ReactNode, type RefObject, useEffect, useId } from 'react';
import type { Order } from '#domain/order.ts';
import css from '#styles/dialog.css?inline';
import ownCss from './order-dialog.css?inline';

/** The props of a form about an order, which opens in a dialog. */
export interface OrderFormProps {
  readonly order: Order;
  onClose(): void;
  /** Takes the order as it is after the form was sent. */
  onChange(order: Order): void;
}

/* The page asks for the dialog when it is needed, so its styles come with its script. */
const sheet = new CSSStyleSheet();
sheet.replaceSync(css + ownCss);
document.adoptedStyleSheets.push(sheet);

interface OrderDialogProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly dialog: RefObject<HTMLDialogElement | null>;
  onClose(): void;
}

/** A dialog that opens at once. A form in it of the method `dialog` closes it, as does Escape. */
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

/** Closes the dialog of an order in the list. The order takes the focus, because the button that had it may go. */
export function closeDialog({ current }: RefObject<HTMLDialogElement | null>): void {
  const card = current?.closest('li');
  current?.close();
  card?.focus();
}
