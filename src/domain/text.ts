/** Escapes text for content and quoted attributes of HTML and XML. */
export const escapeMarkup = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Code points of zero: Arabic, Urdu, the scripts of India from Devanagari to Malayalam, and full width. */
const ZEROS = [
  0x0660, 0x06f0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0xff10,
];

function asciiOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  const zero = ZEROS.find((first) => code >= first && code < first + 10);
  return zero === undefined ? digit : String(code - zero);
}

export const toAsciiDigits = (text: string): string => text.replace(/\p{Nd}/gu, asciiOf);

/**
 * Characters that change the text direction (https://www.unicode.org/reports/tr9/), with which a name can make other words
 * look different. Phones put them around copied numbers.
 */
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const UNPRINTABLE = /[\p{Cc}\u2028\u2029]/u;

export const withoutMarks = (text: string): string => text.replace(DIRECTION_MARKS, '');

/** Whether a text can be printed on one line unchanged. */
export const isPlainText = (text: string): boolean =>
  text.isWellFormed() && !UNPRINTABLE.test(text) && withoutMarks(text) === text;

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** '42 seconds', '53 minutes' or '2 hours'. Rounds up. */
export function waitText(seconds: number): string {
  if (seconds <= 1.5 * MINUTE) return `${Math.max(2, Math.ceil(seconds))} seconds`;
  if (seconds <= 1.5 * HOUR) return `${Math.ceil(seconds / MINUTE)} minutes`;
  return `${Math.ceil(seconds / HOUR)} hours`;
}
