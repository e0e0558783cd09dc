import { type DeliveryTerms, deliveryPaise, FREE_DELIVERY } from './delivery.ts';
import { formatPaise, type Paise, type Rupees, toPaise } from './money.ts';

/** A line of a cart or an item of an order. */
interface Priced {
  readonly price: Rupees;
  readonly quantity: number;
}

export interface AmountLine {
  readonly name: string;
  readonly paise: Paise;
}

/** What a cart or an order comes to. The lines are in the order in which they are shown; a discount is a negative one. */
export interface Amounts {
  readonly lines: readonly AmountLine[];
  readonly total: Paise;
}

export const SUBTOTAL = 'Subtotal';

export const lineAmount = ({ price, quantity }: Priced): Paise => toPaise(price) * quantity;

/**
 * What these items come to, in the cart, at the checkout and in the API: nothing else adds an order up. A new line belongs
 * here, and into the total. The total is exact if it is a safe integer. Without `delivery`, delivery is free.
 */
export function amountsOf(items: readonly Priced[], delivery: DeliveryTerms = FREE_DELIVERY): Amounts {
  const subtotal = items.reduce((sum, item) => sum + lineAmount(item), 0);
  const shipping = deliveryPaise(subtotal, delivery);
  return {
    lines: [
      { name: SUBTOTAL, paise: subtotal },
      { name: 'Shipping', paise: shipping },
    ],
    total: subtotal + shipping,
  };
}

/** A charge that is nothing is 'Free'. */
export const shownAmount = ({ name, paise }: AmountLine): string =>
  paise === 0 && name !== SUBTOTAL ? 'Free' : formatPaise(paise);

/** All lines, to be shown above the total. None when at most one of them is not zero: it would only repeat the total. */
export const breakdownLines = ({ lines }: Amounts): readonly AmountLine[] =>
  lines.filter(({ paise }) => paise !== 0).length > 1 ? lines : [];
