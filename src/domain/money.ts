/** Whole paise; the only unit sums are made in (resolutions 18). */
export type Paise = number;
/** Rupees as the API and the stored cart carry them, at most two decimals. */
export type Rupees = number;

/** The highest price the shop accepts, in rupees (resolutions 18). */
export const HIGHEST_PRICE: Rupees = 10_000_000_000;

let formatter: Intl.NumberFormat | undefined;

/** Made when the first price is written: it costs a slow phone milliseconds that most pages do not owe. */
function rupees(): Intl.NumberFormat {
  formatter ??= new Intl.NumberFormat('en-IN', {
    style: 'currency',
    currency: 'INR',
    maximumFractionDigits: 2,
    trailingZeroDisplay: 'stripIfInteger',
  });
  return formatter;
}

/**
 * Rupees to the nearest paisa. Goes through the decimal text, because 1.005 * 100 is 100.49999999999999.
 */
export function toPaise(rupees: Rupees): Paise {
  const [digits = '0', exponent = '0'] = String(rupees).split('e');
  return Math.round(Number(`${digits}e${Number(exponent) + 2}`));
}

export function toRupees(paise: Paise): Rupees {
  return paise / 100;
}

/** `₹12,34,567.89`, `₹99`, `₹99.50` (spec 9). */
export function formatPaise(paise: Paise): string {
  return rupees().format(paise / 100);
}

/** Rounds to the nearest paisa before it formats. */
export function formatRupees(rupees: Rupees): string {
  return formatPaise(toPaise(rupees));
}

/** Whether a number from outside may be a price: finite, not negative, not above HIGHEST_PRICE. */
export function isPrice(rupees: unknown): rupees is Rupees {
  return typeof rupees === 'number' && rupees >= 0 && rupees <= HIGHEST_PRICE;
}
