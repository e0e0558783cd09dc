import { memo } from 'react';
import { type CartLine, lineKey } from '#domain/cart.ts';
import { formatPaise, formatRupees, type Rupees } from '#domain/money.ts';
import { lineAmount } from '#domain/order-amounts.ts';
import type { CheckedLine } from '#domain/price-check.ts';
import { TrashIcon } from '#islands/ui/icons.tsx';
import { PriceChange } from '#islands/ui/PriceChange.tsx';
import { ProductThumb } from '#islands/ui/ProductThumb.tsx';
import { Stepper } from '#islands/ui/Stepper.tsx';
import { paths } from '#paths.ts';
import { changeQuantity, removeFromCart } from '#stores/cart/cart-edits.ts';

type CartRowProps = CartLine & {
  readonly was: Rupees | undefined;
  readonly availability: CheckedLine['availability'];
};

/** The props are plain values, so that React renders only the line that has changed. */
export const CartRow = memo(function CartRow({ was, availability, ...line }: CartRowProps) {
  const { id, name, image, price, quantity, selectedSize, selectedColor } = line;
  const sold = availability === 'sold';
  const eachText = sold && quantity > 1 && `${formatRupees(price)} each`;
  const choice = [selectedSize, selectedColor].filter(Boolean).join(' · ');
  return (
    <li className="cart-row">
      <ProductThumb id={id} name={name} image={image} />
      <div className="cart-row-text">
        <h2 translate="no">
          <a href={paths.product(id)}>{name}</a>
        </h2>
        <div className="cart-facts">
          {(choice || eachText) && (
            <p className="cart-choice">
              <span translate="no">{choice}</span>
              {choice && eachText && ' · '}
              {eachText}
            </p>
          )}
          <PriceChange was={was} now={price} availability={availability} />
        </div>
        <div className="cart-row-foot">
          <Stepper
            itemName={choice ? `${name}, ${choice}` : name}
            quantity={quantity}
            onQuantity={(newQuantity) => changeQuantity(lineKey(line), newQuantity)}
          />
          {sold && <p className="cart-amount">{formatPaise(lineAmount(line))}</p>}
        </div>
      </div>
      <button
        type="button"
        className="cart-remove"
        aria-label={`Remove ${name} from cart`}
        onClick={() => removeFromCart(id)}
      >
        <TrashIcon />
      </button>
    </li>
  );
});
