import * as v from 'valibot';
import * as CURRENCY from '#domain/currency.ts';
import { plainAmount, toPaise } from '#domain/money.ts';
import { PriceSchema } from '#scripts/api/shop/wire.ts';

/** `129.50`, `1299` or `1,299`: a comma may group digits, as in 1,29,900, but never stands for the decimal point. */
const AMOUNT = /^(?:\d+|\d{1,3}(?:,\d{2,3})*,\d{3})(?:\.\d+)?$/;

/** characters: more than any price has, however its digits are grouped */
const AMOUNT_MOST = 40;

const MISTAKE = `must be an amount in ${CURRENCY.word}, such as 1,299 or 129.50`;

/** @returns NaN for what is no amount */
function readTyped(text: string): number {
  const digits = text.replace(CURRENCY.typed, '');
  return AMOUNT.test(digits) ? Number(digits.replaceAll(',', '')) : Number.NaN;
}

const TypedSchema = v.pipe(v.string(), v.trim(), v.maxLength(AMOUNT_MOST, MISTAKE));

const AmountSchema = v.pipe(v.number(MISTAKE), PriceSchema);

/** An amount as it is typed, with or without the currency's sign, becomes rupees. */
export const RupeesTextSchema = v.pipe(
  TypedSchema,
  v.nonEmpty(MISTAKE),
  v.transform(readTyped),
  AmountSchema,
);

/** As RupeesTextSchema; nothing typed is null. */
export const OptionalRupeesTextSchema = v.pipe(
  TypedSchema,
  v.transform((text) => (text === '' ? null : readTyped(text))),
  v.nullable(AmountSchema),
);

/** A price as it stands in a field: `1299` or `129.50`. */
export function rupeesText(rupees: number | null): string {
  return rupees === null ? '' : plainAmount(toPaise(rupees)).replace(/\.00$/, '');
}

export interface TypedPrices {
  readonly regularPrice: number;
  readonly discountedPrice: number | null;
}

/** Where this is false, `NOT_BELOW_REGULAR` says why. */
export const isSaleBelowRegular = ({ regularPrice, discountedPrice }: TypedPrices): boolean =>
  discountedPrice === null || discountedPrice < regularPrice;

export const NOT_BELOW_REGULAR = 'must be below the regular price, or empty';
