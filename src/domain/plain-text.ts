/**
 * Marks that turn the direction of what follows them, by which a name can make other words look different
 * (https://www.unicode.org/reports/tr9/, explicit formatting characters). Phones copy numbers with such marks around them.
 */
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const UNPRINTABLE = /[\p{Cc}\u2028\u2029]/u;

export const withoutMarks = (text: string): string => text.replace(DIRECTION_MARKS, '');

/** Whether a text can be printed on one line as it was typed. */
export const isPlainText = (text: string): boolean =>
  text.isWellFormed() && !UNPRINTABLE.test(text) && withoutMarks(text) === text;
