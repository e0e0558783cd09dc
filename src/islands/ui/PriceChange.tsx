import { formatRupees, type Rupees } from '#domain/money.ts';
import type { CheckedLine } from '#domain/price-check.ts';

interface PriceChangeProps {
  readonly was: Rupees | undefined;
  readonly now: Rupees;
  readonly availability: CheckedLine['availability'];
}

const NOT_SOLD = {
  discontinued: 'No longer available. Remove it to go on.',
  unpriced: 'Price unavailable. Remove it to go on.',
} as const;

const CHANGE = 'text-note font-strong [font-variant-numeric:tabular-nums]';

export function PriceChange({ was, now, availability }: PriceChangeProps) {
  if (availability !== 'sold') return <p className={`${CHANGE} text-error`}>{NOT_SOLD[availability]}</p>;
  if (was === undefined) return null;
  return (
    <p className={`${CHANGE} ${now > was ? 'text-error' : 'text-leaf'}`}>
      was {formatRupees(was)}, now {formatRupees(now)}
    </p>
  );
}
