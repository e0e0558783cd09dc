import * as v from 'valibot';
import * as CURRENCY from '#domain/currency.ts';
import { HIGHEST_PRICE, toPaise, toRupees } from '#domain/money.ts';

/** Rupees with at most two decimals (resolutions 18). */
export const PriceSchema = v.pipe(
  v.number(`must be a number of ${CURRENCY.word}`),
  v.minValue(0, 'must not be negative'),
  v.maxValue(HIGHEST_PRICE, 'is too high'),
  v.check((rupees) => toRupees(toPaise(rupees)) === rupees, 'has more than two decimals'),
);
