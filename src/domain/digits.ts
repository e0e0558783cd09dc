/** Code points of the digit zero: Arabic, Urdu, the scripts of India from Devanagari to Malayalam, and full width. */
const ZEROS = [
  0x0660, 0x06f0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0xff10,
];

function asciiOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  const zero = ZEROS.find((first) => code >= first && code < first + 10);
  return zero === undefined ? digit : String(code - zero);
}

/** Replaces the digits of these scripts by 0 to 9. */
export const toAsciiDigits = (text: string): string => text.replace(/\p{Nd}/gu, asciiOf);
