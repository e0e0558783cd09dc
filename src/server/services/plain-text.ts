import * as v from 'valibot';
import { isPlainText, tidyCode, tidyLines, tidyText } from '#domain/text.ts';

/* What strangers type or paste is tidied here: schemas of the API and of the admin apply one of these to every text. */

/** After the limit of the length. */
export const tidied = v.transform(tidyText);
export const tidiedCode = v.transform(tidyCode);

/**
 * Refuses control characters, line ends and direction marks. Every text of a stranger that others read needs it.
 * tests/server/app/every-call.test.ts names a field that lacks it.
 */
export const plainText = (message: string) => v.check(isPlainText, message);

/** The messages for a text that is missing, too long, or cannot be printed. */
interface LineMessages {
  readonly missing: string;
  readonly long: string;
  readonly unprintable: string;
}

/** A text of several lines, with at most so many characters. */
export const plainLines = (max: number, { missing, long, unprintable }: LineMessages) =>
  v.pipe(
    v.string(missing),
    v.maxLength(max, long),
    v.transform(tidyLines),
    v.check((text) => text.split('\n').every(isPlainText), unprintable),
  );

/** The end of a sentence about a file. */
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

/** '1 order', '2 orders' */
export const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;
