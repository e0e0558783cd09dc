import { type DeliveryTerms, deliveryPaise, FREE_DELIVERY, isChargedByPlace } from './delivery.ts';
import { formatPaise, type Paise, type Rupees, toPaise } from './money.ts';

interface Priced {
  readonly price: Rupees;
  readonly quantity: number;
}

/** Identifies an amount independently of its label. Other amounts, such as a discount, have no id. */
export const AMOUNT_IDS = ['subtotal', 'delivery'] as const;

export interface AmountLine {
  readonly id?: (typeof AMOUNT_IDS)[number] | undefined;
  readonly name: string;
  readonly paise: Paise;
  /** The charge depends on a PIN code that is not known yet, so that no total holds it. */
  readonly isByPlace?: true;
}

/** The amounts of a cart or an order. Lines are in display order. A discount is negative. */
export interface Amounts {
  readonly lines: readonly AmountLine[];
  readonly total: Paise;
}

export const lineAmount = ({ price, quantity }: Priced): Paise => toPaise(price) * quantity;

/** The goods without delivery. */
export const subtotalOf = (items: readonly Priced[]): Paise =>
  items.reduce((sum, item) => sum + lineAmount(item), 0);

/**
 * Computes the amounts of an order. The cart, the checkout and the API all use this function. Without `delivery`,
 * delivery is free. A new line must also be added to the total. The total is exact if it is a safe integer.
 * @param postalCode '' if it is not known
 */
export function amountsOf(
  items: readonly Priced[],
  delivery: DeliveryTerms = FREE_DELIVERY,
  postalCode = '',
): Amounts {
  const subtotal = subtotalOf(items);
  const isByPlace = postalCode === '' && isChargedByPlace(subtotal, delivery);
  const shipping = isByPlace ? 0 : deliveryPaise(subtotal, delivery, postalCode);
  return {
    lines: [
      { id: 'subtotal', name: 'Subtotal', paise: subtotal },
      { id: 'delivery', name: 'Shipping', paise: shipping, ...(isByPlace && { isByPlace }) },
    ],
    total: subtotal + shipping,
  };
}

/** A charge of 0 is 'Free'. */
export function shownAmount({ id, paise, isByPlace }: AmountLine): string {
  if (isByPlace) return 'By PIN code';
  return paise === 0 && id !== 'subtotal' ? 'Free' : formatPaise(paise);
}

/** Returns the lines to show above the total; none if at most one is not zero, because it would repeat the total. */
export const breakdownLines = ({ lines }: Amounts): readonly AmountLine[] =>
  lines.filter(({ paise }) => paise !== 0).length > 1 ? lines : [];

interface Balance {
  readonly amounts: Pick<Amounts, 'total'>;
  readonly adjustments?: readonly Pick<AmountLine, 'name' | 'paise'>[];
  readonly due?: Paise | undefined;
}

/** What a payment must bring: a part of the order may be paid already. */
export const toPay = ({ amounts, due = amounts.total }: Balance): Paise => due;

/** Returns the lines to show below the total: what became less to pay, and what is left of it. */
export const balanceLines = ({
  amounts,
  adjustments = [],
  due = 0,
}: Balance): [name: string, amount: string][] => [
  ...adjustments.map(({ name, paise }): [string, string] => [name, formatPaise(-paise)]),
  ...(due > 0 && due !== amounts.total ? [['Still to pay', formatPaise(due)] as [string, string]] : []),
];
