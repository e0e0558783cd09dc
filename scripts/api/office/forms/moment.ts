import * as v from 'valibot';
import { indianMinute } from '#domain/date.ts';
import { momentSchema } from '#scripts/api/shop/wire.ts';

/** `2026-11-25T18:00` of a browser's field, `2026-11-25 18:00`, or `25-11-2026 18:00` as a spreadsheet in India saves it. */
const TYPED = /^(?:(\d{4})-(\d\d)-(\d\d)|(\d\d?)[-/](\d\d?)[-/](\d{4}))[ T](\d\d?):(\d\d)(?::00)?$/;

const MISTAKE = 'must be a day and a time such as 2026-11-25 18:00';

const twoDigits = (text: string | undefined): string => String(text).padStart(2, '0');

/** @returns the text itself where it is no moment */
function readTyped(text: string): string {
  const found = TYPED.exec(text);
  if (!found) return text;
  const [, year, month, day, dayFirst, monthSecond, yearLast, hours, minutes] = found;
  const date = [year ?? yearLast, twoDigits(month ?? monthSecond), twoDigits(day ?? dayFirst)].join('-');
  return `${date}T${twoDigits(hours)}:${minutes}+05:30`;
}

/** A moment in India as it is typed. Nothing typed is undefined. */
export const OptionalMomentTextSchema = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(30, MISTAKE),
  v.transform((text) => (text === '' ? undefined : readTyped(text))),
  v.optional(momentSchema(MISTAKE)),
);

/** A moment as a browser's field for a time has it; '' for none. */
export const momentText = (iso: string | undefined): string =>
  iso === undefined ? '' : indianMinute(Date.parse(iso));

export interface TypedSale {
  readonly discountedPrice: number | null;
  readonly saleFrom?: string | null | undefined;
  readonly saleUntil?: string | null | undefined;
}

/** Where this is false, `NO_SALE_PRICE` says why. */
export const hasPriceForSale = ({ discountedPrice, saleFrom, saleUntil }: TypedSale): boolean =>
  (discountedPrice !== null && discountedPrice > 0) || (!saleFrom && !saleUntil);

export const NO_SALE_PRICE = 'must be given for a sale that begins or ends; or leave its times empty';

/** Where this is false, `NOT_AFTER_BEGIN` says why. */
export const endsAfterBegin = ({ saleFrom, saleUntil }: Omit<TypedSale, 'discountedPrice'>): boolean =>
  !saleFrom || !saleUntil || Date.parse(saleFrom) < Date.parse(saleUntil);

export const NOT_AFTER_BEGIN = 'must be after the begin of the sale';
