import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import { itemCount, lineKey } from '#domain/cart.ts';
import type { DeliveryTerms } from '#domain/delivery.ts';
import type { CheckedLine } from '#domain/price-check.ts';
import { EmptyCart } from '#islands/ui/EmptyCart.tsx';
import { useFocusAfterRemoval, useHydrated, useLazyComponent } from '#islands/ui/hooks.ts';
import { Island, Skeleton } from '#islands/ui/Island.tsx';
import { countItems } from '#islands/ui/Totals.tsx';
import { startDelivery } from '#stores/cart/delivery.ts';
import { $checkedCart, watchPrices } from '#stores/cart/price-check.ts';
import { queryParam } from '#stores/shell/navigation.ts';
import { CartRow } from './CartRow.tsx';
import { CartSummary } from './CartSummary.tsx';

const CartSkeleton = () => (
  <div className="columns" aria-hidden="true">
    <div className="cart-lines">
      {[1, 2].map((row) => (
        <div className="cart-row" key={row}>
          <Skeleton className="thumb" />
          <div className="cart-row-text">
            <Skeleton className="cart-bone-name" />
            <Skeleton className="cart-bone-stepper" />
          </div>
        </div>
      ))}
    </div>
    <div className="cart-summary">
      <Skeleton className="cart-bone-summary" />
    </div>
  </div>
);

const NO_LINES: CheckedLine[] = [];

/** The result of the price check as text, for visitors who do not see the lines change. */
function priceCheckText(lines: readonly CheckedLine[]): string {
  const repriced = lines.filter(({ was }) => was !== undefined).length;
  const unavailable = lines.filter(({ availability }) => availability !== 'sold').length;
  return [
    repriced > 0 &&
      `${countItems(repriced)} changed in price since you added ${repriced === 1 ? 'it' : 'them'}.`,
    unavailable > 0 && `${countItems(unavailable)} can no longer be ordered.`,
  ]
    .filter(Boolean)
    .join(' ');
}

const fetchShared = () => import('./SharedCart.tsx').then(({ SharedCart }) => SharedCart);

interface CartProps {
  /** The delivery terms when the page was built; undefined if delivery was free. */
  readonly delivery?: DeliveryTerms | undefined;
}

export function Cart({ delivery }: CartProps) {
  useState(() => startDelivery(delivery));
  const hydrated = useHydrated();
  const lines = useStore($checkedCart, { ssr: () => NO_LINES });
  const heading = useRef<HTMLHeadingElement>(null);
  const { length } = lines;

  const [hasChosen, setChosen] = useState(false);
  const isSharedLink = hydrated && !hasChosen && queryParam('items') !== undefined;
  const Shared = useLazyComponent(isSharedLink, fetchShared, () => setChosen(true));

  useEffect(watchPrices, []);
  useFocusAfterRemoval(length, 'cart-title');

  return (
    <Island className="wrap cart">
      <h1 id="cart-title" ref={heading} tabIndex={-1}>
        Your cart
        {length > 0 && (
          <span className="cart-items"> {countItems(itemCount(lines.map(({ line }) => line)))}</span>
        )}
      </h1>
      <div className="sr-only" role="status">
        {priceCheckText(lines)}
      </div>
      {!hydrated && <CartSkeleton />}
      {isSharedLink && Shared && (
        <Shared
          onChoice={() => {
            setChosen(true);
            heading.current?.focus();
          }}
        />
      )}
      {hydrated && !isSharedLink && length === 0 && <EmptyCart />}
      {length > 0 && (
        <div className="columns">
          <ul className="cart-lines">
            {lines.map(({ line, was, availability }) => (
              <CartRow key={lineKey(line)} {...line} was={was} availability={availability} />
            ))}
          </ul>
          <CartSummary />
        </div>
      )}
    </Island>
  );
}
