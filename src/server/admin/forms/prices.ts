import * as v from 'valibot';
import * as CURRENCY from '#domain/currency.ts';
import { indianMinute } from '#domain/date.ts';
import { plainAmount, type Rupees, toPaise } from '#domain/money.ts';
import { readRupees } from '#domain/rupees-input.ts';
import { momentSchema, PriceSchema, tidiedCode } from '#server/http/sent-values.ts';

/** In characters. */
const MAX_AMOUNT_LENGTH = 40;

const ERROR = `must be an amount in ${CURRENCY.word}, such as 1,299 or 129.50`;

const readTyped = (text: string): Rupees => readRupees(text) ?? Number.NaN;

const TypedSchema = v.pipe(v.string(), v.trim(), v.maxLength(MAX_AMOUNT_LENGTH, ERROR), tidiedCode);

const AmountSchema = v.pipe(v.number(ERROR), PriceSchema);

/** Parses a typed amount, with or without the currency's sign. Units: rupees. */
export const RupeesTextSchema = v.pipe(TypedSchema, v.nonEmpty(ERROR), v.transform(readTyped), AmountSchema);

/** Like `RupeesTextSchema`; an empty text is null. */
export const OptionalRupeesTextSchema = v.pipe(
  TypedSchema,
  v.transform((text) => (text === '' ? null : readTyped(text))),
  v.nullable(AmountSchema),
);

/** Formats a price for a form field: `1299` or `129.50`. */
export function rupeesText(rupees: Rupees | null): string {
  return rupees === null ? '' : plainAmount(toPaise(rupees)).replace(/\.00$/, '');
}

export interface TypedPrices {
  readonly regularPrice: number;
  readonly discountedPrice: number | null;
}

export const isSaleBelowRegular = ({ regularPrice, discountedPrice }: TypedPrices): boolean =>
  discountedPrice === null || discountedPrice < regularPrice;

/** `2026-11-25T18:00` from a browser, `2026-11-25 18:00`, or `25-11-2026 18:00` as spreadsheets in India save it. */
const TYPED_MOMENT = /^(?:(\d{4})-(\d\d)-(\d\d)|(\d\d?)[-/](\d\d?)[-/](\d{4}))[ T](\d\d?):(\d\d)(?::00)?$/;

const MOMENT_ERROR = 'must be a day and a time such as 2026-11-25 18:00';

const twoDigits = (text: string | undefined): string => String(text).padStart(2, '0');

/** Returns an ISO time, or the text itself if it is not a time. */
function readMoment(text: string): string {
  const found = TYPED_MOMENT.exec(text);
  if (!found) return text;
  const [, year, month, day, dayFirst, monthSecond, yearLast, hours, minutes] = found;
  const date = [year ?? yearLast, twoDigits(month ?? monthSecond), twoDigits(day ?? dayFirst)].join('-');
  return `${date}T${twoDigits(hours)}:${minutes}+05:30`;
}

/** Parses a typed time in India into an ISO time. An empty text is undefined. */
export const OptionalMomentTextSchema = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(30, MOMENT_ERROR),
  tidiedCode,
  v.transform((text) => (text === '' ? undefined : readMoment(text))),
  v.optional(momentSchema(MOMENT_ERROR)),
);

/** Formats an ISO time for a browser's datetime field; '' for undefined. */
export const momentText = (iso: string | undefined): string =>
  iso === undefined ? '' : indianMinute(Date.parse(iso));

/** The prices of a form or of a row of a file. */
export const PRICE_SCHEMAS = {
  regularPrice: RupeesTextSchema,
  discountedPrice: OptionalRupeesTextSchema,
  saleFrom: OptionalMomentTextSchema,
  saleUntil: OptionalMomentTextSchema,
};

export const PricesSchema = v.pipe(
  v.object(PRICE_SCHEMAS),
  v.forward(
    v.partialCheck(
      [['regularPrice'], ['discountedPrice']],
      isSaleBelowRegular,
      'must be below the regular price, or empty',
    ),
    ['discountedPrice'],
  ),
  v.forward(
    v.partialCheck(
      [['discountedPrice'], ['saleFrom'], ['saleUntil']],
      ({ discountedPrice, saleFrom, saleUntil }) => Boolean(discountedPrice) || (!saleFrom && !saleUntil),
      'must be given for a sale that begins or ends; or leave its times empty',
    ),
    ['discountedPrice'],
  ),
  v.forward(
    v.partialCheck(
      [['saleFrom'], ['saleUntil']],
      ({ saleFrom, saleUntil }) => !saleFrom || !saleUntil || Date.parse(saleFrom) < Date.parse(saleUntil),
      'must be after the beginning of the sale',
    ),
    ['saleUntil'],
  ),
);
