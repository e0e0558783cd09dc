import * as v from 'valibot';
import * as CURRENCY from '#domain/currency.ts';
import { indianMinute } from '#domain/date.ts';
import { HIGHEST_PRICE, toPaise, toRupees } from '#domain/money.ts';
import { isPlainText, tidyCode, tidyLines, tidyText } from '#domain/text.ts';

/* Tidies what strangers type or paste. Schemas of the API and of the admin apply one of these to every text. */

/** Apply it after the limit of the length. */
export const tidied = v.transform(tidyText);
export const tidiedCode = v.transform(tidyCode);

/**
 * Refuses control characters, line ends and direction marks. Every stranger's text that others read needs it.
 * tests/server/app/every-call.test.ts names a field that lacks it.
 */
export const plainText = (message: string) => v.check(isPlainText, message);

/** The messages for a text that is missing, too long, or cannot be printed. */
interface LineMessages {
  readonly missing: string;
  readonly long: string;
  readonly unprintable: string;
}

/** A text of several lines. @param max in characters */
export const plainLines = (max: number, { missing, long, unprintable }: LineMessages) =>
  v.pipe(
    v.string(missing),
    v.maxLength(max, long),
    v.transform(tidyLines),
    v.check((text) => text.split('\n').every(isPlainText), unprintable),
  );

/** Completes a sentence about a file. */
export const NOT_UTF8 = 'is not UTF-8 text: save as UTF-8, which spreadsheets call “CSV UTF-8”.';

/** Returns a file's text, without a byte order mark; undefined for another encoding, such as UTF-16 or Latin-1. */
export function utf8Text(bytes: AllowSharedBufferSource): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they tell a text from other files
const NO_TEXT = /[\0-\x08\x0e-\x1f]/;

/**
 * Returns the text of a file in an encoding of spreadsheets: UTF-8, UTF-16 with its mark, or Windows-1252. Returns
 * undefined for a workbook and other files that are no text.
 */
export function spreadsheetText(bytes: Uint8Array<ArrayBuffer>): string | undefined {
  const wide = new Map([
    ['255,254', 'utf-16le'],
    ['254,255', 'utf-16be'],
  ]).get(bytes.subarray(0, 2).join());
  const text = wide ? new TextDecoder(wide).decode(bytes) : utf8Text(bytes);
  const found = text ?? new TextDecoder('windows-1252').decode(bytes);
  return NO_TEXT.test(found) ? undefined : found;
}

/** Rupees with at most two decimals. */
export const PriceSchema = v.pipe(
  v.number(`must be a number of ${CURRENCY.word}`),
  v.minValue(0, 'must not be negative'),
  v.maxValue(HIGHEST_PRICE, 'is too high'),
  v.check((rupees) => toRupees(toPaise(rupees)) === rupees, 'has more than two decimals'),
);

const MOMENT = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(?::00)?(?:Z|[+-]\d\d:\d\d)$/;

/** Whether the date exists. JavaScript reads 31 February as 3 March. */
function isMoment(text: string): boolean {
  const day = MOMENT.exec(text)?.[1];
  const midnight = new Date(`${day}T00:00Z`);
  return day !== undefined && !Number.isNaN(Date.parse(text)) && midnight.toISOString().startsWith(day);
}

/** Whether it is a day of the calendar such as '2026-11-25'. */
export const isDay = (text: string): boolean => isMoment(`${text}T00:00Z`);

/** A time to the minute, in any time zone. It becomes Indian time. */
export const momentSchema = (error = 'must be a time such as 2026-11-25T18:00+05:30') =>
  v.pipe(
    v.string(error),
    v.maxLength(30, error),
    v.check(isMoment, error),
    v.transform((text) => `${indianMinute(Date.parse(text))}+05:30`),
  );
