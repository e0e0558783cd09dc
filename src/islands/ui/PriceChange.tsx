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

export function PriceChange({ was, now, availability }: PriceChangeProps) {
  if (availability !== 'sold')
    return <p className="price-change price-change-up">{NOT_SOLD[availability]}</p>;
  if (was === undefined) return null;
  return (
    <p className={`price-change ${now > was ? 'price-change-up' : 'price-change-down'}`}>
      was {formatRupees(was)}, now {formatRupees(now)}
    </p>
  );
}
