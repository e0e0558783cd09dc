import * as v from 'valibot';
import { amountText, toPaise } from '#domain/money.ts';
import { PriceSchema } from '#scripts/api/shop/wire.ts';

/** `129.50`, `1299` or `₹1,299`: a comma may group digits, as in 1,29,900, but never stands for the decimal point. */
const AMOUNT = /^(?:₹|Rs\.?)?\s*(?:\d+|\d{1,3}(?:,\d{2,3})*,\d{3})(?:\.\d+)?$/i;

/** characters: more than any price has, however its digits are grouped */
const AMOUNT_MOST = 40;

const MISTAKE = 'must be an amount in rupees, such as 1,299 or 129.50';

const toRupees = (text: string): number => Number(text.replace(/^(?:₹|Rs\.?)|[\s,]/gi, ''));

/** An amount as it is typed becomes rupees. */
export const RupeesTextSchema = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(AMOUNT_MOST, MISTAKE),
  v.regex(AMOUNT, MISTAKE),
  v.transform(toRupees),
  PriceSchema,
);

/** As RupeesTextSchema; nothing typed is null. */
export const OptionalRupeesTextSchema = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(AMOUNT_MOST, MISTAKE),
  v.check((text) => text === '' || AMOUNT.test(text), MISTAKE),
  v.transform((text) => (text === '' ? null : toRupees(text))),
  v.nullable(PriceSchema),
);

/** A price as it stands in a field: `1299` or `129.50`. */
export function rupeesText(rupees: number | null): string {
  return rupees === null ? '' : amountText(toPaise(rupees)).replace(/\.00$/, '');
}

export interface TypedPrices {
  readonly regularPrice: number;
  readonly discountedPrice: number | null;
}

/** Where this is false, `NOT_BELOW_REGULAR` says why. */
export const isSaleBelowRegular = ({ regularPrice, discountedPrice }: TypedPrices): boolean =>
  discountedPrice === null || discountedPrice < regularPrice;

export const NOT_BELOW_REGULAR = 'must be below the regular price, or empty';
