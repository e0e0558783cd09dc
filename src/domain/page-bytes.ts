/*
 * Limits the bytes that the server's texts take up in a page, so that no page exceeds 100 KB. A Hindi letter takes three
 * bytes, and a character that HTML or JSON must escape takes up to seven.
 */

const CATEGORY_BYTES = 300;

function bytesOf(character: string): number {
  if (/[<>&"'\\\p{Cc}\p{Cs}]/u.test(character)) return 7;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  if (code < 0x8_00) return 2;
  return code < 0x1_00_00 ? 3 : 4;
}

/** Cuts the text to at most `limit` bytes in a page. Never splits a character. */
export function cutToBytes(value: string, limit: number): string {
  // No UTF-16 code unit takes more than 7 bytes, so counting is not needed.
  if (value.length * 7 <= limit) return value;
  let end = 0;
  let bytes = 0;
  for (const character of value) {
    bytes += bytesOf(character);
    if (bytes > limit) return value.slice(0, end);
    end += character.length;
  }
  return value;
}

/** Returns the first texts that together take at most `limit` bytes in a page. */
export function firstWithinBytes(values: readonly string[], limit: number): string[] {
  let bytesLeft = limit;
  const firstTooMany = values.findIndex((value) => {
    bytesLeft -= [...value].reduce((sum, character) => sum + bytesOf(character), 0);
    return bytesLeft < 0;
  });
  return firstTooMany === -1 ? [...values] : values.slice(0, firstTooMany);
}

/** The category as pages show it. Requests to the API use the whole name. */
export const shownCategory = (category: string): string => cutToBytes(category, CATEGORY_BYTES);
