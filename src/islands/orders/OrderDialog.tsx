import { type ComponentProps, type ReactNode, type RefObject, useEffect, useId } from 'react';
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

interface DialogProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly dialog: RefObject<HTMLDialogElement | null>;
  onClose(): void;
}

/** A dialog that opens at once. Escape, or a form with the method `dialog`, closes it. */
export function Dialog({ title, children, dialog, onClose }: DialogProps) {
  const titleId = useId();
  useEffect(() => dialog.current?.showModal(), [dialog]);
  return (
    <dialog
      ref={dialog}
      className="m-auto w-[min(100%-2*var(--gutter),420px)] rounded-card border-0 bg-raised p-6 text-ink backdrop:bg-[rgb(15_42_32/0.5)]"
      aria-labelledby={titleId}
      onClose={onClose}
    >
      <h2 id={titleId} className="font-body text-heading leading-[1.3] tracking-normal">
        {title}
      </h2>
      {children}
    </dialog>
  );
}

export const DialogText = ({ className = '', children }: ComponentProps<'p'>) => (
  <p className={`mt-2 mb-5 text-ink2 ${className}`}>{children}</p>
);

/** What went wrong. It is announced. */
export const DialogProblem = ({ children }: { readonly children: ReactNode }) => (
  <p className="mt-2 mb-5 font-semibold text-error empty:m-0" role="alert">
    {children}
  </p>
);

export const DialogActions = ({ children }: { readonly children: ReactNode }) => (
  <div className="flex flex-wrap gap-3 *:flex-[1_0_auto]">{children}</div>
);
