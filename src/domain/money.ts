/** Whole paise. All sums are made in paise (resolutions 18). */
export type Paise = number;
/** Rupees as the API and the stored cart hold them, with at most two decimals. */
export type Rupees = number;

/** The highest price the shop accepts, in rupees (resolutions 18). */
export const HIGHEST_PRICE: Rupees = 10_000_000_000;

/** Groups digits as India does: the last three, then twos (12,34,567). */
function groupDigits(digits: string): string {
  let text = digits.slice(-3);
  for (let end = digits.length - 3; end > 0; end -= 2)
    text = `${digits.slice(Math.max(end - 2, 0), end)},${text}`;
  return text;
}

/** Rounds to the nearest paisa. Uses the decimal text, because 1.005 * 100 is 100.49999999999999. */
export function toPaise(rupees: Rupees): Paise {
  const [digits = '0', exponent = '0'] = String(rupees).split('e');
  return Math.round(Number(`${digits}e${Number(exponent) + 2}`));
}

export function toRupees(paise: Paise): Rupees {
  return paise / 100;
}

/**
 * `₹12,34,567.89`, `₹99` or `₹99.50` (spec 9). `Intl.NumberFormat` gives the same result, but creating the first one
 * costs a slow phone a tenth of a second.
 */
export function formatPaise(paise: Paise): string {
  const amount = Math.abs(paise);
  const rupees = groupDigits(String(Math.trunc(amount / 100)));
  const rest = amount % 100;
  return `${paise < 0 ? '-' : ''}₹${rupees}${rest === 0 ? '' : `.${String(rest).padStart(2, '0')}`}`;
}

/** Rounds to the nearest paisa, then formats. */
export function formatRupees(rupees: Rupees): string {
  return formatPaise(toPaise(rupees));
}

/** Whether a number from outside may be a price: finite, not negative, not above HIGHEST_PRICE. */
export function isPrice(rupees: unknown): rupees is Rupees {
  return typeof rupees === 'number' && rupees >= 0 && rupees <= HIGHEST_PRICE;
}

export const CURRENCY = 'INR';

/** Writes rupees as UPI links and the gateway do, such as `899.00`. Exact for every safe integer. */
export function amountText(paise: Paise): string {
  const rest = paise % 100;
  return `${(paise - rest) / 100}.${String(rest).padStart(2, '0')}`;
}

/** Reads a text such as `899.00`. Returns undefined for any other. */
export function readAmount(text: string): Paise | undefined {
  if (!/^\d{1,14}\.\d{2}$/.test(text)) return undefined;
  const paise = Number(text.replace('.', ''));
  return Number.isSafeInteger(paise) ? paise : undefined;
}
