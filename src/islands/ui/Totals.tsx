import { formatPaise } from '#domain/money.ts';
import { type Amounts, SUBTOTAL, shownAmount } from '#domain/order-amounts.ts';

interface TotalsProps {
  readonly itemCount: number;
  readonly amounts: Amounts;
  readonly className?: string;
}

const ROW = 'flex justify-between gap-4 py-1.75';

export const countItems = (count: number): string => `${count} ${count === 1 ? 'item' : 'items'}`;

export function Totals({ itemCount, amounts, className = '' }: TotalsProps) {
  return (
    <dl className={`[font-variant-numeric:tabular-nums] ${className}`}>
      {amounts.lines.map((line) => (
        <div className={ROW} key={line.name}>
          <dt>{line.name === SUBTOTAL ? `Subtotal (${countItems(itemCount)})` : line.name}</dt>
          <dd className={`text-end ${shownAmount(line) === 'Free' ? 'font-bold text-leaf' : ''}`}>
            {shownAmount(line)}
          </dd>
        </div>
      ))}
      <div className={`${ROW} mt-1.5 border-line border-t pt-3.5 font-heavy text-title`}>
        <dt>Total</dt>
        <dd className="text-end">{formatPaise(amounts.total)}</dd>
      </div>
    </dl>
  );
}
