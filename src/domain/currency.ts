/* The shop's currency: `import * as CURRENCY from '#domain/currency.ts'`. Only rupees-input.ts names it as well. */

/** In ISO 4217. */
export const code = 'INR';

export const symbol = '₹';

export const word = 'rupees';

export const digits = 2;

/** 10 to the power of `digits`. A calculation would stop the bundler from dropping this module. */
export const minorUnits = 100;

/** Digits per group: the last group, and all groups before it, as in 12,34,567. */
export const groups = [3, 2] as const;
