import { formatPaise } from '#domain/money.ts';
import { type Amounts, SUBTOTAL, shownAmount } from '#domain/order-amounts.ts';

interface TotalsProps {
  readonly itemCount: number;
  readonly amounts: Amounts;
}

export const countItems = (count: number): string => `${count} ${count === 1 ? 'item' : 'items'}`;

export function Totals({ itemCount, amounts }: TotalsProps) {
  return (
    <dl className="totals">
      {amounts.lines.map((line) => (
        <div key={line.name}>
          <dt>{line.name === SUBTOTAL ? `Subtotal (${countItems(itemCount)})` : line.name}</dt>
          <dd className={shownAmount(line) === 'Free' ? 'totals-free' : undefined}>{shownAmount(line)}</dd>
        </div>
      ))}
      <div className="totals-sum">
        <dt>Total</dt>
        <dd>{formatPaise(amounts.total)}</dd>
      </div>
    </dl>
  );
}
