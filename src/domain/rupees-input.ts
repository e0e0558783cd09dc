import { isPrice, type Rupees, toPaise, toRupees } from './money.ts';
import { readNumber } from './number-input.ts';
import { tidyCode } from './text.ts';

const [TWO_DECIMALS, SCALED] = [/\.\d{3}/, /^(.*?) ?(k|lakhs?|lacs?|crores?|cr)$/];

const SCALES: Readonly<Record<string, number>> = { k: 1_000, l: 100_000, c: 10_000_000 };

/** What people write before an amount and, one by one, after it, in lower case. */
const BEFORE = /^(?:₹|₨|rs\.?|inr|रु\.?|रू\.?)\s*/;
const AFTER = /(?:\/[-=]?|\.-?|₹|₨|rs|inr|rupees?|रुपये|रु|only)$/;

/** '500/- only' becomes '500'. */
function withoutUnits(amount: string): string {
  const shorter = amount.replace(AFTER, '').trimEnd();
  return shorter === amount ? amount : withoutUnits(shorter);
}

/**
 * Reads an amount as people write it: '1,299', '₹ 500', 'Rs. 500/-', '1 00 000', '1.5k', '१००'. Returns undefined for
 * any other text, or with more decimals than the currency has.
 */
export function readRupees(text: string): Rupees | undefined {
  const amount = withoutUnits(tidyCode(text).toLowerCase().replace(BEFORE, ''));
  const [, scaled, scale = ''] = SCALED.exec(amount) ?? [];
  const rupees = readNumber(scaled ?? amount);
  if (rupees === undefined || (!scale && TWO_DECIMALS.test(amount))) return undefined;
  const value = toRupees(toPaise(rupees * (SCALES[scale.charAt(0)] ?? 1)));
  return isPrice(value) ? value : undefined;
}
