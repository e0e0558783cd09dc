import type { ComponentProps, ReactNode } from 'react';
import type { Sentence } from '#domain/buying/forecast.ts';
import type { CartLine } from '#domain/cart.ts';
import { formatPaise } from '#domain/money.ts';
import { type Amounts, lineAmount, shownAmount } from '#domain/order-amounts.ts';
import { ProductThumb } from './ProductThumb.tsx';

/** The lines or the form, beside or above the totals. */
export const SummaryColumns = ({ children, ...rest }: ComponentProps<'div'>) => (
  <div
    {...rest}
    className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-6 md:grid-cols-[minmax(0,1fr)_clamp(280px,36%,380px)] md:items-start md:gap-x-[clamp(24px,4vw,48px)]"
  >
    {children}
  </div>
);

interface SummaryLineProps {
  readonly line: CartLine;
  /** False if it cannot be ordered, so that it has no amount. */
  readonly sold?: boolean;
  /** Below the name. */
  readonly children: ReactNode;
}

export const SummaryLine = ({ line, sold = true, children }: SummaryLineProps) => (
  <li className="flex items-center gap-3 py-2.5 [overflow-wrap:anywhere]">
    <ProductThumb id={line.id} name={line.name} image={line.image} className="size-14 rounded-control" />
    <div className="min-w-0 flex-1 leading-[1.35]">
      <p>
        <span translate="no">{line.name}</span> × <span>{line.quantity}</span>
      </p>
      {children}
    </div>
    {sold && <b className="font-bold [font-variant-numeric:tabular-nums]">{formatPaise(lineAmount(line))}</b>}
  </li>
);

/** Why the order will be refused as it is. While it is empty, it stays for screen readers but takes no gap. */
export const OrderProblems = ({ sentences }: { readonly sentences: readonly Sentence[] }) => (
  <div className="grid gap-1.5 font-semibold text-error empty:absolute" role="status">
    {sentences.map(({ text, own }) => (
      <p key={text}>
        <span>{text}</span> <span translate="no">{own}</span>
      </p>
    ))}
  </div>
);

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
          <dt>{line.id === 'subtotal' ? `Subtotal (${countItems(itemCount)})` : line.name}</dt>
          <dd className={`text-end ${shownAmount(line) === 'Free' ? 'font-bold text-leaf' : ''}`}>
            {shownAmount(line)}
          </dd>
        </div>
      ))}
      <div className={`${ROW} mt-1.5 border-line border-t font-heavy text-title`}>
        <dt>Total</dt>
        <dd className="text-end">{formatPaise(amounts.total)}</dd>
      </div>
    </dl>
  );
}
