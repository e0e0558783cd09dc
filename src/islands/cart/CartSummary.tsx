import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { itemCount } from '#domain/cart.ts';
import { formatPaise } from '#domain/money.ts';
import { MAX_LINES, TOO_MANY_LINES } from '#domain/order.ts';
import { ButtonLink, TextButton } from '#islands/ui/Button.tsx';
import { useLazyComponent } from '#islands/ui/hooks.ts';
import { ARROW_RIGHT, Icon, TRASH } from '#islands/ui/icons.tsx';
import { focusWrongQuantity } from '#islands/ui/Stepper.tsx';
import { OrderProblems, Totals } from '#islands/ui/Totals.tsx';
import { paths } from '#paths.ts';
import { clearCart } from '#stores/cart/cart-edits.ts';
import { $amounts, $forecast, $orderableCart } from '#stores/cart/price-check.ts';

export const SUMMARY =
  'grid grid-cols-[minmax(0,1fr)] content-start gap-2.5 rounded-card bg-mist p-5.5 md:sticky md:top-[calc(var(--header)+16px)]';

const CheckoutLink = ({ className }: { readonly className: string }) => (
  <ButtonLink
    size="large"
    className={className}
    href={paths.checkout}
    onClick={(event) => focusWrongQuantity() && event.preventDefault()}
  >
    Checkout <Icon path={ARROW_RIGHT} />
  </ButtonLink>
);

const fetchPanel = () => import('./SharePanel.tsx').then(({ SharePanel }) => SharePanel);

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
  const amounts = useStore($amounts);
  const { order, place } = useStore($forecast);
  return (
    <>
      <section className={SUMMARY} aria-labelledby="cart-summary-title">
        <h2 id="cart-summary-title" className="text-heading">
          Order summary
        </h2>
        <Totals itemCount={itemCount(cart)} amounts={amounts} />
        <div className="font-semibold text-error empty:hidden" role="alert">
          {cart.length > MAX_LINES && TOO_MANY_LINES}
        </div>
        <OrderProblems sentences={[...order, ...place.slice(0, 1)]} />
        <CheckoutLink className="max-md:hidden" />
        <ShareCart />
        <TextButton onClick={clearCart}>
          <Icon path={TRASH} size={18} /> Clear Cart
        </TextButton>
      </section>
      <div
        className="tall:sticky bottom-[calc(var(--tab-bar)+env(safe-area-inset-bottom))] z-10 -mx-(--gutter) flex flex-wrap items-center gap-x-4 border-line border-t bg-canvas px-(--gutter) py-2.5 md:hidden print:hidden"
        data-cart-bar
      >
        <p className="grid leading-[1.2] [font-variant-numeric:tabular-nums]">
          <span className="text-fine text-ink2">Total</span>
          <strong className="font-heavy text-title">{formatPaise(amounts.total)}</strong>
        </p>
        <CheckoutLink className="flex-1 max-md:min-h-13" />
      </div>
    </>
  );
}
