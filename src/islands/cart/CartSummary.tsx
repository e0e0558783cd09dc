import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { itemCount } from '#domain/cart.ts';
import { formatPaise } from '#domain/money.ts';
import { amountsOf } from '#domain/order-amounts.ts';
import { TextButton } from '#islands/ui/Button.tsx';
import { useLazyComponent } from '#islands/ui/hooks.ts';
import { ArrowRightIcon, TrashIcon } from '#islands/ui/icons.tsx';
import { Totals } from '#islands/ui/Totals.tsx';
import { paths } from '#paths.ts';
import { clearCart } from '#stores/cart/cart-edits.ts';
import { $delivery } from '#stores/cart/delivery.ts';
import { $orderableCart } from '#stores/cart/price-check.ts';

const CheckoutLink = () => (
  <a className="btn btn-lg" href={paths.checkout}>
    Checkout <ArrowRightIcon />
  </a>
);

const fetchPanel = () => import('./SharePanel.tsx').then(({ SharePanel }) => SharePanel);

/** The code of the panel is loaded when it is first opened. */
function ShareCart() {
  const [isOpen, setOpen] = useState(false);
  const Panel = useLazyComponent(isOpen, fetchPanel, () => setOpen(false));
  return (
    <>
      <TextButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Share cart
      </TextButton>
      {isOpen && Panel && <Panel />}
    </>
  );
}

/** The summary is beside the lines. On a phone it is below them, and a bar with Checkout stays visible. */
export function CartSummary() {
  const cart = useStore($orderableCart);
  const amounts = amountsOf(cart, useStore($delivery));
  return (
    <>
      <section className="cart-summary" aria-labelledby="cart-summary-title">
        <h2 id="cart-summary-title">Order summary</h2>
        <Totals itemCount={itemCount(cart)} amounts={amounts} />
        <CheckoutLink />
        <ShareCart />
        <TextButton onClick={clearCart}>
          <TrashIcon size={18} /> Clear Cart
        </TextButton>
      </section>
      <div className="cart-bar">
        <p>
          <span>Total</span>
          <strong>{formatPaise(amounts.total)}</strong>
        </p>
        <CheckoutLink />
      </div>
    </>
  );
}
