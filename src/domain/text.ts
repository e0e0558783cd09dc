/** Escapes text for content and quoted attributes of HTML and XML. */
export const escapeMarkup = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const DIGIT = /\p{Nd}/u;

/** Unicode has the digits of each script in a row of ten, so a digit is its distance from the first of the row. */
function asciiOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (DIGIT.test(String.fromCodePoint(code - before - 1))) before += 1;
  return String(before % 10);
}

/** Turns the digits of all scripts into 0 to 9: '९८' is '98'. */
export const toAsciiDigits = (text: string): string => text.replace(/[^\P{Nd}0-9]/gu, asciiOf);

/**
 * Invisible characters, including those that change the text direction (https://www.unicode.org/reports/tr9/), with
 * which a name could disguise other words. Phones and web pages add them to copied text. The joiners U+200C and U+200D
 * are not included, because Indian words and emoji need them.
 */
const INVISIBLE =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them is meant by itself
  /[\u00ad\u034f\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\u{e0000}-\u{e007f}]/gu;

const LEADING_JOINERS = /(^|\s)[\u200c\u200d]+/g;
/** Joiners at the end of a word, except after a vowel sign or virama (a mark), where they change the letter. */
const TRAILING_JOINERS = /([^\p{M}\u200c\u200d])[\u200c\u200d]+(?=\s|$)/gu;

/**
 * Tidies a name or other free text that was typed or pasted: removes invisible characters, and turns tabs and special
 * blanks into blanks. Shop, API and admin apply a function of this file to all typed texts but passwords.
 */
export const tidyText = (text: string): string =>
  text
    .replace(INVISIBLE, '')
    .replace(/[\t\p{Zs}]/gu, ' ')
    .replace(LEADING_JOINERS, '$1')
    .replace(TRAILING_JOINERS, '$1')
    .trim();

/** Like `tidyText`, for several lines: line breaks become '\n'. */
export const tidyLines = (text: string): string =>
  text
    .split(/\r\n?|[\n\u2028\u2029]/)
    .map(tidyText)
    .join('\n')
    .trim();

/** Full-width signs, as keyboards for East Asia write them: each is 0xfee0 above its ASCII form. */
const FULL_WIDTH = /[\uff01-\uff5e]/g;

/** Tidies signs but not digits: nothing invisible, one kind of dash, single blanks. */
export const tidySigns = (text: string): string =>
  text
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu, '')
    .replace(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/\s+/g, ' ')
    .trim();

/** Tidies a number or a code: an order number, a phone, a PIN code, a GSTIN. */
export const tidyCode = (text: string): string => toAsciiDigits(tidySigns(text));

const UNPRINTABLE = /[\p{Cc}\u2028\u2029]/u;

/** Whether a text can be printed on one line unchanged. */
export const isPlainText = (text: string): boolean =>
  text.isWellFormed() && !UNPRINTABLE.test(text) && text.replace(INVISIBLE, '') === text;

/** '1 order', '2 orders' */
export const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;
