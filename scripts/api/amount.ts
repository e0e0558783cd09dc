import type { Paise } from '#domain/money.ts';

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
