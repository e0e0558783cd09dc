import * as CURRENCY from './currency.ts';

/** Whole paise. All arithmetic uses paise. No number has `unit`: with it, TypeScript refuses rupees where paise are expected. */
export type Paise = number & { readonly unit?: 'paise' };
/** Rupees as in the API and the stored cart, with at most two decimals. */
export type Rupees = number & { readonly unit?: 'rupees' };

export const HIGHEST_PRICE: Rupees = 10_000_000_000;

function groupDigits(digits: string): string {
  const [last, others] = CURRENCY.groups;
  let text = digits.slice(-last);
  for (let end = digits.length - last; end > 0; end -= others)
    text = `${digits.slice(Math.max(end - others, 0), end)},${text}`;
  return text;
}

const minorDigits = (paise: Paise): string =>
  String(paise % CURRENCY.minorUnits).padStart(CURRENCY.digits, '0');

/** Rounds to the nearest paisa. Uses the decimal text, because 1.005 * 100 is 100.49999999999999. */
export function toPaise(rupees: Rupees): Paise {
  const [digits = '0', exponent = '0'] = String(rupees).split('e');
  return Math.round(Number(`${digits}e${Number(exponent) + CURRENCY.digits}`));
}

export function toRupees(paise: Paise): Rupees {
  return paise / CURRENCY.minorUnits;
}

/**
 * `₹12,34,567.89`, `₹99` or `₹99.50`. Formats without `Intl.NumberFormat`, whose first instance costs a slow phone a tenth
 * of a second.
 */
export function formatPaise(paise: Paise): string {
  const amount = Math.abs(paise);
  const rupees = groupDigits(String(Math.trunc(amount / CURRENCY.minorUnits)));
  const rest = amount % CURRENCY.minorUnits === 0 ? '' : `.${minorDigits(amount)}`;
  return `${paise < 0 ? '-' : ''}${CURRENCY.symbol}${rupees}${rest}`;
}

export function formatRupees(rupees: Rupees): string {
  return formatPaise(toPaise(rupees));
}

/** Whether an untrusted value is a price in rupees: finite, not negative, at most HIGHEST_PRICE. */
export function isPrice(rupees: unknown): rupees is Rupees {
  return typeof rupees === 'number' && rupees >= 0 && rupees <= HIGHEST_PRICE;
}

/** `899.00`, the format of UPI links, gateways and feeds. Exact for every safe integer. */
export const plainAmount = (paise: Paise): string =>
  `${Math.trunc(paise / CURRENCY.minorUnits)}.${minorDigits(paise)}`;

/** Parses `899.00` into paise. Returns undefined for any other format. */
export function readAmount(text: string): Paise | undefined {
  if (!/^\d{1,14}\.\d+$/.test(text) || text.length - text.indexOf('.') - 1 !== CURRENCY.digits)
    return undefined;
  const paise = Number(text.replace('.', ''));
  return Number.isSafeInteger(paise) ? paise : undefined;
}
