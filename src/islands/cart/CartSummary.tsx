import { useStore } from '@nanostores/react';
import { cartTotal, itemCount } from '#domain/cart.ts';
import { formatPaise } from '#domain/money.ts';
import { ArrowRightIcon } from '#islands/ui/icons.tsx';
import { Totals } from '#islands/ui/Totals.tsx';
import { paths } from '#paths.ts';
import { $orderableCart } from '#stores/cart/price-check.ts';
import { ClearCart } from './ClearCart.tsx';
import { ShareCart } from './ShareCart.tsx';

const CheckoutLink = () => (
  <a className="btn btn-lg" href={paths.checkout}>
    Checkout <ArrowRightIcon />
  </a>
);

/** Beside the lines; on a phone below them, with Checkout in a bar that stays in sight. */
export function CartSummary() {
  const cart = useStore($orderableCart);
  const total = cartTotal(cart);
  return (
    <>
      <section className="cart-summary" aria-labelledby="cart-summary-title">
        <h2 id="cart-summary-title">Order summary</h2>
        <Totals itemCount={itemCount(cart)} subtotal={total} />
        <CheckoutLink />
        <ShareCart />
        <ClearCart />
      </section>
      <div className="cart-bar">
        <p>
          <span>Total</span>
          <strong>{formatPaise(total)}</strong>
        </p>
        <CheckoutLink />
      </div>
    </>
  );
}
