/** Phone fields of the payment form (spec 5). */
export const PHONE_PREFIX = '+91';
export const PHONE_MAX_LENGTH = 13;
export const PHONE_PLACEHOLDER = '+91XXXXXXXXXX';
const DIGITS = 10;

export interface LengthRules {
  readonly minLength?: number;
  readonly maxLength?: number;
}

/**
 * What is typed or pasted, as a phone field keeps it: the prefix, then digits, at most ten (spec 5). Understands
 * '+91 98765 43210', '0091…', '09876543210' and '9876543210'.
 */
export function formatPhone(typed: string, { maxLength = PHONE_MAX_LENGTH }: LengthRules = {}): string {
  const rest = typed.startsWith(PHONE_PREFIX) ? typed.slice(PHONE_PREFIX.length) : typed;
  let digits = rest.replace(/\D/g, '');
  if (digits.length > DIGITS) digits = digits.replace(/^(0091|91|0)(?=\d{10}$)/, '');
  return (PHONE_PREFIX + digits.slice(0, DIGITS)).slice(0, Math.max(maxLength, PHONE_PREFIX.length));
}

/** A field that holds the prefix alone is empty (resolutions 35). */
export const isPhoneEmpty = (value: string): boolean => value.trim() === '' || value.trim() === PHONE_PREFIX;

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
