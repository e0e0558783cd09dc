import { tidyCode } from './text.ts';

/*
 * For another country, change these four constants, the samples in tests/unit/domain/phone.test.ts and the other tests
 * that type a number.
 */
const COUNTRY_CODE = '91';
const DIGITS = 10;
const MOBILE_DIGITS = '[6-9][0-9]{9}';

export const PHONE_PREFIX = `+${COUNTRY_CODE}`;
const PHONE_LENGTH = PHONE_PREFIX.length + DIGITS;
/** No phone number is longer (E.164 allows 15 digits). */
const MAX_DIGITS = 30;
export const PHONE_PLACEHOLDER = PHONE_PREFIX + 'X'.repeat(DIGITS);
export const PHONE_HINT = `For the delivery, ${DIGITS} digits`;

/** '+91', '0091', '091', '91', and the 0 that is dialled within the country, as in '+91 (0) 98765 43210'. */
const WRITTEN_PREFIX = `(?:\\+?0{0,2}${COUNTRY_CODE}){0,2}0?`;
const PREFIX = new RegExp(`^${WRITTEN_PREFIX}`);
const MOBILE = new RegExp(`^${WRITTEN_PREFIX}(${MOBILE_DIGITS})$`);

export interface LengthRules {
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
}

/** Whether the text is the prefix or the start of it, such as `+9`. */
const isPrefixPart = (text: string): boolean => text !== '' && PHONE_PREFIX.startsWith(text);

/** Restores a partly deleted prefix, so that its rest is not read as digits of the number. */
function restorePrefix(input: string, previous: string): string {
  const isDeletion = input.length < previous.length && previous.startsWith(PHONE_PREFIX);
  if (!isDeletion || input.startsWith(PHONE_PREFIX)) return input;
  const digits = previous.slice(PHONE_PREFIX.length);
  const isOneKey = input.length === previous.length - 1;
  if (input.endsWith(digits) && (digits !== '' || isOneKey)) return previous;
  return PHONE_PREFIX + (isPrefixPart(input) ? '' : input);
}

/** What people write before a number: 'Ph: ', 'Mob. ', 'फ़ोन: ', 'tel:'. */
const BEFORE = /^[\p{L}\p{M} .]{1,20}[.:] ?(?=[+\d(])/u;

/** Removes invisible marks, blanks and signs. Keeps letters, so that an email or a name is not read as a number. */
const bare = (text: string): string =>
  tidyCode(text)
    .replace(BEFORE, '')
    .replace(/[^\p{L}\p{N}+]/gu, '');

/** Returns the ten digits of a mobile number in any usual form; undefined for other texts. */
export const mobileDigits = (text: string): string | undefined => MOBILE.exec(bare(text))?.[1];

/**
 * Turns typed or pasted text into the value of a phone field: the prefix and the digits. Accepts '+91 98765 43210',
 * '0091…', '09876543210' and '9876543210', and a country code typed after the prefix. Ignores a typed eleventh digit.
 * Keeps all digits of a longer pasted number, because its first ten are another number: `phoneError` reports it.
 * @param previous the value before the change, to detect a deletion in the prefix
 */
export function formatPhone(
  input: string,
  { maxLength = PHONE_LENGTH }: LengthRules = {},
  previous = '',
): string {
  if (isPrefixPart(input) && input.length > previous.length) return input;
  const text = restorePrefix(bare(input), previous);
  const rest = text.startsWith(PHONE_PREFIX) ? text.slice(PHONE_PREFIX.length) : text;
  let digits = rest.replace(/\D/g, '');
  // A mobile number may begin with the digits of the country code: 91 98765 432.
  if (digits.length > DIGITS) digits = mobileDigits(digits) ?? digits.replace(PREFIX, '');
  const value = PHONE_PREFIX + digits.slice(0, MAX_DIGITS);
  const isKey = input.length === previous.length + 1 && previous.startsWith(PHONE_PREFIX);
  return isKey && value.length > Math.min(maxLength, PHONE_LENGTH) ? previous : value;
}

/**
 * Turns a mobile number in any usual form ('+91 98765-43210', '098765 43210', '९८७६५ ४३२१०') into its ten digits.
 * Returns any other text unchanged, because the checkout accepts it.
 */
export const normalisePhone = (text: string): string => mobileDigits(text) ?? text;

/** Returns a hint that does not block the order, or undefined. */
export const phoneHint = (phone: string): string | undefined =>
  phone.trim() === '' || formatPhone(phone.trim()).length === PHONE_LENGTH
    ? undefined
    : `Mobile numbers have ${DIGITS} digits, with or without ${PHONE_PREFIX}.`;

/** Returns prefix and digits of a mobile or landline number in any usual form; undefined for other texts. */
export function phoneNumber(text: string): string | undefined {
  const input = bare(text);
  const number = /^\+?\d+$/.test(input) ? formatPhone(input) : '';
  return number.length === PHONE_LENGTH ? number : undefined;
}

/** Whether the text is this phone number, with or without prefix, 0 and spaces. */
export const isSamePhone = (text: string, phone: string): boolean => phoneNumber(text) === formatPhone(phone);

/** The prefix alone, or the start of it, counts as empty. */
export const isPhoneEmpty = (value: string): boolean => PHONE_PREFIX.startsWith(value.trim());

/** Returns the error text, or undefined. The caller checks the pattern. */
export function phoneError(value: string, rules: LengthRules): string | undefined {
  const { minLength, maxLength = PHONE_LENGTH } = rules;
  if (!value.startsWith(PHONE_PREFIX)) return `Phone number must start with ${PHONE_PREFIX}`;
  if (minLength === undefined && rules.maxLength === undefined) {
    return value.length === PHONE_LENGTH
      ? undefined
      : `Phone number must be ${PHONE_LENGTH} characters (including ${PHONE_PREFIX})`;
  }
  if (minLength !== undefined && value.length < minLength) {
    return `Phone number must have at least ${minLength} characters`;
  }
  if (value.length > maxLength) {
    return `Phone number must have no more than ${maxLength} characters`;
  }
  return undefined;
}
