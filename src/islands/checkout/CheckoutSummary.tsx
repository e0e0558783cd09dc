import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { choiceText, itemCount, lineKey } from '#domain/cart.ts';
import { formatPaise } from '#domain/money.ts';
import type { CheckedLine } from '#domain/price-check.ts';
import { CHEVRON_DOWN, Icon } from '#islands/ui/icons.tsx';
import { PriceChange } from '#islands/ui/PriceChange.tsx';
import { SummaryLine, Totals } from '#islands/ui/Totals.tsx';
import { $orderableCart } from '#stores/cart/price-check.ts';
import { $amountsToAgree } from '#stores/checkout/checkout.ts';

function CheckoutLine({ line, was, isPriced, forecast }: CheckedLine) {
  const choice = choiceText(line);
  return (
    <SummaryLine line={line} sold={isPriced}>
      {choice && (
        <p className="text-ink3 text-note" translate="no">
          {choice}
        </p>
      )}
      <PriceChange was={was} now={line.price} problem={forecast?.text} />
    </SummaryLine>
  );
}

/** On a phone the items are folded and only the total is visible. */
export function CheckoutSummary({ lines }: { readonly lines: readonly CheckedLine[] }) {
  const [open, setOpen] = useState(false);
  const cart = useStore($orderableCart);
  const amounts = useStore($amountsToAgree);
  return (
    <section
      className="rounded-card bg-mist px-5 py-4 md:sticky md:top-[calc(var(--header)+16px)] md:col-start-2 md:row-start-1 md:p-5.5"
      aria-labelledby="summary-title"
    >
      <h2 id="summary-title" className="text-heading">
        Order summary
      </h2>
      <button
        type="button"
        className="flex min-h-11 w-full items-center gap-1.5 border-0 bg-transparent p-0 font-semibold md:hidden"
        aria-expanded={open}
        aria-controls="summary-body"
        onClick={() => setOpen(!open)}
      >
        <span className="underline underline-offset-4">{open ? 'Hide items' : 'Show items'}</span>
        <Icon path={CHEVRON_DOWN} className="in-aria-expanded:rotate-180 transition-[rotate] duration-120" />
        <strong className="ms-auto text-large [font-variant-numeric:tabular-nums]">
          {formatPaise(amounts.total)}
        </strong>
      </button>
      <div id="summary-body" className={open ? undefined : 'max-md:hidden'}>
        <ul>
          {lines.map((checked) => (
            <CheckoutLine key={lineKey(checked.line)} {...checked} />
          ))}
        </ul>
        <Totals itemCount={itemCount(cart)} amounts={amounts} className="mt-2 border-line border-t pt-2" />
      </div>
    </section>
  );
}
