import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { itemCount, lineKey } from '#domain/cart.ts';
import { formatPaise } from '#domain/money.ts';
import { amountsOf, lineAmount } from '#domain/order-amounts.ts';
import type { CheckedLine } from '#domain/price-check.ts';
import { ChevronDownIcon } from '#islands/ui/icons.tsx';
import { PriceChange } from '#islands/ui/PriceChange.tsx';
import { ProductThumb } from '#islands/ui/ProductThumb.tsx';
import { Totals } from '#islands/ui/Totals.tsx';
import { $delivery } from '#stores/cart/delivery.ts';
import { $orderableCart } from '#stores/cart/price-check.ts';

function SummaryLine({ line, was, availability }: CheckedLine) {
  const { id, name, image, price, quantity, selectedSize, selectedColor } = line;
  const choice = [selectedSize, selectedColor].filter(Boolean).join(' · ');
  return (
    <li className="summary-line">
      <ProductThumb id={id} name={name} image={image} />
      <div>
        <p>
          <span translate="no">{name}</span> × {quantity}
        </p>
        {choice && (
          <p className="summary-choice" translate="no">
            {choice}
          </p>
        )}
        <PriceChange was={was} now={price} availability={availability} />
      </div>
      {availability === 'sold' && <b>{formatPaise(lineAmount(line))}</b>}
    </li>
  );
}

/** On a phone the items are folded and only the total is visible. */
export function CheckoutSummary({ lines }: { readonly lines: readonly CheckedLine[] }) {
  const [open, setOpen] = useState(false);
  const cart = useStore($orderableCart);
  const amounts = amountsOf(cart, useStore($delivery));
  return (
    <section className="summary" aria-labelledby="summary-title">
      <h2 id="summary-title" className="checkout-title">
        Order summary
      </h2>
      <button
        type="button"
        className="summary-fold"
        aria-expanded={open}
        aria-controls="summary-body"
        onClick={() => setOpen(!open)}
      >
        <span>{open ? 'Hide items' : 'Show items'}</span>
        <ChevronDownIcon />
        <strong>{formatPaise(amounts.total)}</strong>
      </button>
      <div id="summary-body" className={open ? 'summary-body' : 'summary-body summary-folded'}>
        <ul>
          {lines.map((checked) => (
            <SummaryLine key={lineKey(checked.line)} {...checked} />
          ))}
        </ul>
        <Totals itemCount={itemCount(cart)} amounts={amounts} />
      </div>
    </section>
  );
}
