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

/** The amounts of an order whose items come to this much. Delivery is free (spec 9). */
export const amountsOfSubtotal = (subtotal: Paise): Amounts => ({
  lines: [
    { name: SUBTOTAL, paise: subtotal },
    { name: 'Shipping', paise: 0 },
  ],
  total: subtotal,
});

/** The only place that adds an order up: cart, checkout and API. The total is exact if it is a safe integer (faults 69). */
export const amountsOf = (items: readonly Priced[]): Amounts =>
  amountsOfSubtotal(items.reduce((sum, item) => sum + lineAmount(item), 0));

/** A charge that is nothing is 'Free'. */
export const shownAmount = ({ name, paise }: AmountLine): string =>
  paise === 0 && name !== SUBTOTAL ? 'Free' : formatPaise(paise);

/** The lines that tell more than the total beside them; none where a single one of them is not zero. */
export const tellingLines = ({ lines }: Amounts): readonly AmountLine[] =>
  lines.filter(({ paise }) => paise !== 0).length > 1 ? lines : [];
