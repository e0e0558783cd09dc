import * as v from 'valibot';
import * as CURRENCY from '#domain/currency.ts';
import { indianMinute } from '#domain/date.ts';
import { HIGHEST_PRICE, toPaise, toRupees } from '#domain/money.ts';

/** Rupees with at most two decimals. */
export const PriceSchema = v.pipe(
  v.number(`must be a number of ${CURRENCY.word}`),
  v.minValue(0, 'must not be negative'),
  v.maxValue(HIGHEST_PRICE, 'is too high'),
  v.check((rupees) => toRupees(toPaise(rupees)) === rupees, 'has more than two decimals'),
);

const MOMENT = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(?::00)?(?:Z|[+-]\d\d:\d\d)$/;

/** Whether it is a date of the calendar. JavaScript takes 31 February for 3 March. */
function isMoment(text: string): boolean {
  const day = MOMENT.exec(text)?.[1];
  const midnight = new Date(`${day}T00:00Z`);
  return day !== undefined && !Number.isNaN(Date.parse(text)) && midnight.toISOString().startsWith(day);
}

/** A time to the minute, in any time zone. It becomes Indian time. */
export const momentSchema = (error = 'must be a time such as 2026-11-25T18:00+05:30') =>
  v.pipe(
    v.string(error),
    v.maxLength(30, error),
    v.check(isMoment, error),
    v.transform((text) => `${indianMinute(Date.parse(text))}+05:30`),
  );
