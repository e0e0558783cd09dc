import { formatPaise, type Paise } from '#domain/money.ts';

interface TotalsProps {
  readonly itemCount: number;
  readonly subtotal: Paise;
}

export const countItems = (count: number): string => `${count} ${count === 1 ? 'item' : 'items'}`;

/** Subtotal, shipping and total; shipping is always free (spec 9). */
export function Totals({ itemCount, subtotal }: TotalsProps) {
  return (
    <dl className="totals">
      <div>
        <dt>Subtotal ({countItems(itemCount)})</dt>
        <dd>{formatPaise(subtotal)}</dd>
      </div>
      <div>
        <dt>Shipping</dt>
        <dd className="totals-free">Free</dd>
      </div>
      <div className="totals-sum">
        <dt>Total</dt>
        <dd>{formatPaise(subtotal)}</dd>
      </div>
    </dl>
  );
}
