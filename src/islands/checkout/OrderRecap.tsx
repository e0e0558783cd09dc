import { useStore } from '@nanostores/react';
import { itemCount } from '#domain/cart.ts';
import { formatPaise } from '#domain/money.ts';
import { addressLines } from '#domain/order.ts';
import { amountsOf, shownAmount } from '#domain/order-amounts.ts';
import { type Fact, Facts } from '#islands/ui/Facts.tsx';
import { countItems } from '#islands/ui/Totals.tsx';
import { $delivery } from '#stores/cart/delivery.ts';
import { $orderableCart } from '#stores/cart/price-check.ts';
import { $address } from '#stores/checkout/shipping-address.ts';

/** Items, price and address of the order, shown beside Create Order. */
export function OrderRecap() {
  const cart = useStore($orderableCart);
  const address = useStore($address);
  const { lines, total } = amountsOf(cart, useStore($delivery));
  const extras = lines.slice(1).map((line) => `${line.name.toLowerCase()} ${shownAmount(line)}`);
  const facts: readonly Fact[] = [
    ['You order', countItems(itemCount(cart))],
    ['To pay', [formatPaise(total), ...extras].join(', ')],
    ['Deliver to', addressLines(address).join(', ') || 'The address above'],
    ...(address.phone.trim() === '' ? [] : [['Phone', address.phone] as const]),
  ];
  return (
    // biome-ignore lint/a11y/useSemanticElements: nothing is filled in here
    <div role="group" aria-label="Order summary" id="order-recap" tabIndex={-1}>
      <Facts facts={facts} className="recap" />
    </div>
  );
}
