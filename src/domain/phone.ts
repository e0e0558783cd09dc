import { toAsciiDigits } from './digits.ts';

/** Phone fields of the payment form (spec 5). */
const PHONE_PREFIX = '+91';
export const PHONE_MAX_LENGTH = 13;
export const PHONE_PLACEHOLDER = '+91XXXXXXXXXX';
const DIGITS = 10;

export interface LengthRules {
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** `+` and `+9`, on the way to the prefix. */
const isPrefixBegun = (text: string): boolean => text !== '' && PHONE_PREFIX.startsWith(text);

/** Puts back what a deletion took from the prefix, so that its rest is not read as digits. */
function restorePrefix(typed: string, previous: string): string {
  const deleted = typed.length < previous.length && previous.startsWith(PHONE_PREFIX);
  if (!deleted || typed.startsWith(PHONE_PREFIX)) return typed;
  const digits = previous.slice(PHONE_PREFIX.length);
  const isOneKey = typed.length === previous.length - 1;
  if (typed.endsWith(digits) && (digits !== '' || isOneKey)) return previous;
  return PHONE_PREFIX + (isPrefixBegun(typed) ? '' : typed);
}

/**
 * What is typed or pasted, as a phone field keeps it: the prefix, then digits, at most ten (spec 5). Understands
 * '+91 98765 43210', '0091…', '09876543210' and '9876543210', a country code typed behind the prefix, and deleting in
 * the prefix, for which it needs the `previous` value.
 */
export function formatPhone(
  typed: string,
  { maxLength = PHONE_MAX_LENGTH }: LengthRules = {},
  previous = '',
): string {
  if (isPrefixBegun(typed) && typed.length > previous.length) return typed;
  const text = restorePrefix(typed.trim(), previous);
  const rest = text.startsWith(PHONE_PREFIX) ? text.slice(PHONE_PREFIX.length) : text;
  let digits = rest.replace(/\D/g, '');
  if (digits.length > DIGITS) digits = digits.replace(/^(?:0091|91|0)/, '');
  return (PHONE_PREFIX + digits.slice(0, DIGITS)).slice(0, Math.max(maxLength, PHONE_PREFIX.length));
}

const PUNCTUATION = /[\s().\-\u2010-\u2015\u00ad\u200b-\u200f\u202a-\u202e\u2060]/g;
const MOBILE = /^(?:\+?91|0091|0)?([6-9]\d{9})$/;

/**
 * An Indian mobile number in any of its usual forms ('+91 98765-43210', '098765 43210', '९८७६५ ४३२१०'), as its ten
 * digits. Any other text stays as it is: the checkout advises and does not block (resolutions 34).
 */
export const tidyPhone = (text: string): string =>
  MOBILE.exec(toAsciiDigits(text).replace(PUNCTUATION, ''))?.[1] ?? text;

/** A field that holds the prefix alone, or its beginning, is empty (resolutions 35). */
export const isPhoneEmpty = (value: string): boolean => PHONE_PREFIX.startsWith(value.trim());

/** The spec's text, or nothing. A pattern is the caller's to check. */
export function phoneError(value: string, { minLength, maxLength }: LengthRules): string | undefined {
  if (!value.startsWith(PHONE_PREFIX)) return 'Phone number must start with +91';
  if (minLength === undefined && maxLength === undefined) {
    return value.length === PHONE_MAX_LENGTH
      ? undefined
      : 'Phone number must be 13 characters (including +91)';
  }
  if (minLength !== undefined && value.length < minLength) {
    return `Phone number must have at least ${minLength} characters`;
  }
  if (maxLength !== undefined && value.length > maxLength) {
    return `Phone number must have no more than ${maxLength} characters`;
  }
  return undefined;
}
