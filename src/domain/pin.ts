import { tidyCode } from './text.ts';

const PIN = /^[1-9]\d{5}$/;

/** Turns a PIN code such as '411 001' or '४११००१' into six digits. Returns any other text unchanged. */
export function normalisePin(text: string): string {
  const digits = tidyCode(text).replace(/[\s.-]/g, '');
  return PIN.test(digits) ? digits : text;
}

export const isPin = (text: string): boolean => PIN.test(normalisePin(text));

/** Returns a hint that does not block the order, or undefined. */
export const postalCodeHint = (postalCode: string): string | undefined =>
  postalCode.trim() === '' || isPin(postalCode)
    ? undefined
    : 'PIN codes have 6 digits and do not start with 0.';
