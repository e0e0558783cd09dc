/* The money of the shop: `import * as CURRENCY from '#domain/currency.ts'`. These stand nowhere else in the code. */

/** In ISO 4217. */
export const code = 'INR';

export const symbol = '₹';

export const word = 'rupees';

/** Digits after the decimal point. */
export const digits = 2;

/** 10 to the power of `digits`, written out: a calculation would keep this module in pages that do not use it. */
export const minorUnits = 100;

/** How many digits stand together: the last ones, and all before them, as in 12,34,567. */
export const groups = [3, 2] as const;

/** The symbol as people type it before an amount. */
export const typed = /^(?:₹|Rs\.?)?\s*/i;
