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

/** Why the line cannot be ordered as it is. */
export const LineProblem = ({ children }: { readonly children: string }) => (
  <p className={`${CHANGE} text-error`}>{children}</p>
);

export function PriceChange({ was, now, availability }: PriceChangeProps) {
  if (availability !== 'sold') return <LineProblem>{NOT_SOLD[availability]}</LineProblem>;
  if (was === undefined) return null;
  return (
    <p className={`${CHANGE} ${now > was ? 'text-error' : 'text-leaf'}`}>
      was <span>{formatRupees(was)}</span>, now <span>{formatRupees(now)}</span>
    </p>
  );
}
