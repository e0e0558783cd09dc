import { useStore } from '@nanostores/react';
import { useRef, useState } from 'react';
import { itemCount, lineKey } from '#domain/cart.ts';
import type { DeliveryTerms } from '#domain/delivery.ts';
import type { CheckedLine } from '#domain/price-check.ts';
import { EmptyCart } from '#islands/ui/EmptyCart.tsx';
import { useFocusAfterRemoval, useHydrated, useLazyComponent } from '#islands/ui/hooks.ts';
import { Island, Skeleton } from '#islands/ui/Island.tsx';
import { countItems, SummaryColumns } from '#islands/ui/Totals.tsx';
import { $checkedCart } from '#stores/cart/price-check.ts';
import { startDelivery } from '#stores/cart/terms.ts';
import { queryParam } from '#stores/shell/address.ts';
import { CartRow, ROW } from './CartRow.tsx';
import { CartSummary, SUMMARY } from './CartSummary.tsx';

const CartSkeleton = () => (
  <SummaryColumns aria-hidden="true">
    <div>
      {[1, 2].map((row) => (
        <div className={ROW} key={row}>
          <Skeleton className="size-24 rounded-small" />
          <div>
            <Skeleton className="h-5 w-[70%] rounded-small" />
            <Skeleton className="mt-7.25 h-11.75 w-35 rounded-small" />
          </div>
        </div>
      ))}
    </div>
    <div className={SUMMARY}>
      <Skeleton className="h-62.5 rounded-small" />
    </div>
  </SummaryColumns>
);

const NO_LINES: CheckedLine[] = [];

/** The results of the price check as sentences, for visitors who do not see the lines change. */
function checkTexts(lines: readonly CheckedLine[]): string[] {
  const repriced = lines.filter(({ was }) => was !== undefined).length;
  return [
    ...(repriced > 0
      ? [`${countItems(repriced)} changed in price since you added ${repriced === 1 ? 'it' : 'them'}.`]
      : []),
    ...lines.flatMap(({ forecast }) => forecast?.text ?? []),
  ];
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

  useFocusAfterRemoval(length, 'cart-title');

  return (
    // As high as the viewport, so that the footer below it does not move when the lines are rendered. Without scripts no
    // lines are rendered, and a text of the page that says so follows.
    <Island className="wrap min-h-[calc(100svh-var(--header))] noscript:min-h-0 pt-7 noscript:pb-0 pb-14">
      <h1 id="cart-title" className="focus:outline-none focus:[box-shadow:none]" ref={heading} tabIndex={-1}>
        Your cart
        {length > 0 && (
          <span className="ms-1.5 font-body font-medium text-ink3 text-lead leading-[normal] tracking-normal">
            {` ${countItems(itemCount(lines.map(({ line }) => line)))}`}
          </span>
        )}
      </h1>
      <div className="sr-only" role="status">
        {checkTexts(lines).map((text) => (
          <p key={text}>{text}</p>
        ))}
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
        <SummaryColumns>
          <ul>
            {lines.map(({ line, was, isPriced, forecast }) => (
              <CartRow
                key={lineKey(line)}
                {...line}
                was={was}
                isPriced={isPriced}
                problem={forecast?.text}
                offer={forecast?.offer}
              />
            ))}
          </ul>
          <CartSummary />
        </SummaryColumns>
      )}
    </Island>
  );
}
