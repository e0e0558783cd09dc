import { useId, useRef } from 'react';
import { Button } from '#islands/ui/Button.tsx';
import { clearCart } from '#stores/cart/cart-edits.ts';
import { TrashIcon } from './TrashIcon.tsx';

/** Asks before it empties the cart; the notice after it offers Undo. */
export function ClearCart() {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const close = () => dialog.current?.close();
  const clear = () => {
    close();
    clearCart();
  };
  return (
    <>
      <button type="button" className="btn-link" onClick={() => dialog.current?.showModal()}>
        <TrashIcon size={18} /> Clear Cart
      </button>
      <dialog className="dialog" ref={dialog} aria-labelledby={title}>
        <h2 id={title}>Remove all items?</h2>
        <p>You can undo this right after.</p>
        <div className="dialog-actions">
          <Button look="outline" onClick={close}>
            Keep items
          </Button>
          <Button onClick={clear}>Remove all</Button>
        </div>
      </dialog>
    </>
  );
}
