import type { LineForecast } from '#domain/buying/forecast.ts';
import { type CartLine, lineKey } from '#domain/cart.ts';
import { formatRupees, type Rupees } from '#domain/money.ts';
import { changeQuantity } from '#stores/cart/cart-edits.ts';
import { Button } from './Button.tsx';

interface PriceChangeProps {
  readonly was: Rupees | undefined;
  readonly now: Rupees;
  /** Why the line will be refused, or was. */
  readonly problem: string | undefined;
}

const CHANGE = 'text-note font-strong [font-variant-numeric:tabular-nums]';

/** What is different today, below the name of a line. */
export const PriceChange = ({ was, now, problem }: PriceChangeProps) => (
  <>
    {problem && <p className={`${CHANGE} text-error`}>{problem}</p>}
    {was !== undefined && (
      <p className={`${CHANGE} ${now > was ? 'text-error' : 'text-leaf'}`}>
        was <span>{formatRupees(was)}</span>, now <span>{formatRupees(now)}</span>
      </p>
    )}
  </>
);

interface OfferButtonProps {
  readonly line: CartLine;
  readonly offer: LineForecast['offer'];
}

/** Sets the quantity with which the line can be ordered. */
export const OfferButton = ({ line, offer }: OfferButtonProps) =>
  offer !== undefined && (
    <Button
      variant="outline"
      size="small"
      className="flex-none"
      label={`Take ${offer} of ${line.name}`}
      onClick={() => changeQuantity(lineKey(line), offer)}
    >
      {`Take ${offer}`}
    </Button>
  );
