import * as v from 'valibot';
import { toPaise } from '#domain/money.ts';

export const CashSettings = v.pipe(
  v.object({
    /** The highest order that may be paid at the door, in rupees. */
    COD_MOST: v.optional(v.pipe(v.string(), v.regex(/^\d{1,7}$/, 'must be rupees, such as 5000')), '5000'),
    /** PIN codes, or how they begin, with commas; empty: everywhere. */
    COD_PIN_CODES: v.optional(
      v.pipe(v.string(), v.regex(/^[\d, ]*$/, 'must be PIN codes with commas, such as 4110, 400001')),
      '',
    ),
  }),
  v.transform(({ COD_MOST, COD_PIN_CODES }) => ({
    most: toPaise(Number(COD_MOST)),
    pinCodes: COD_PIN_CODES.split(',')
      .map((code) => code.trim())
      .filter((code) => code !== ''),
  })),
);
