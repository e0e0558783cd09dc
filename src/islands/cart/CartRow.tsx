import { memo } from 'react';
import { type CartLine, choiceText, lineKey } from '#domain/cart.ts';
import { formatPaise, formatRupees, type Rupees } from '#domain/money.ts';
import { lineAmount } from '#domain/order-amounts.ts';
import { Icon, TRASH } from '#islands/ui/icons.tsx';
import { OfferButton, PriceChange } from '#islands/ui/PriceChange.tsx';
import { ProductThumb } from '#islands/ui/ProductThumb.tsx';
import { Stepper } from '#islands/ui/Stepper.tsx';
import { paths } from '#paths.ts';
import { changeQuantity, removeFromCart } from '#stores/cart/cart-edits.ts';

type CartRowProps = CartLine & {
  readonly was: Rupees | undefined;
  readonly isPriced: boolean;
  readonly problem: string | undefined;
  readonly offer: number | undefined;
};

export const ROW = 'relative grid grid-cols-[96px_1fr] gap-3.5 border-line border-b py-4';

/** Rows that are surely below the first screen. Their usual height is 129 px. */
const LATE = 'nth-[n+13]:[contain-intrinsic-size:auto_129px] nth-[n+13]:[content-visibility:auto]';

/** The props are plain values, so that React renders only the line that has changed. */
export const CartRow = memo(function CartRow({ was, isPriced, problem, offer, ...line }: CartRowProps) {
  const { id, name, image, price, quantity } = line;
  const eachText = isPriced && quantity > 1 && `${formatRupees(price)} each`;
  const choice = choiceText(line);
  return (
    <li className={`${ROW} ${LATE}`}>
      <ProductThumb id={id} name={name} image={image} />
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <h2 className="pe-11 font-body font-strong text-base leading-[1.5] tracking-normal" translate="no">
          {/* The link extends over the picture. */}
          <a
            className="no-underline before:absolute before:top-4 before:left-0 before:size-24 before:rounded-panel hover:underline"
            href={paths.product(id)}
          >
            {name}
          </a>
        </h2>
        <div className="flex flex-wrap items-baseline gap-x-2.5">
          {(choice || eachText) && (
            <p className="text-caption text-ink3">
              <span translate="no">{choice}</span>
              {choice && eachText && <span> · </span>}
              {eachText && <span>{eachText}</span>}
            </p>
          )}
          <PriceChange was={was} now={price} problem={problem} />
        </div>
        <div className="mt-2 flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <Stepper
            itemName={choice ? `${name}, ${choice}` : name}
            quantity={quantity}
            onQuantity={(newQuantity) => changeQuantity(lineKey(line), newQuantity)}
          />
          <OfferButton line={line} offer={offer} />
          {isPriced && (
            <p className="ms-auto font-heavy text-large [font-variant-numeric:tabular-nums]">
              {formatPaise(lineAmount(line))}
            </p>
          )}
        </div>
      </div>
      <button
        type="button"
        className="absolute top-1.5 -right-2.5 grid size-11 place-items-center rounded-full border-0 bg-transparent text-ink2 hover:bg-leaf-tint"
        aria-label={`Remove ${name} from cart`}
        onClick={() => removeFromCart(id)}
      >
        <Icon path={TRASH} />
      </button>
    </li>
  );
});
