/*
 * What a text weighs in a page, so that no page grows over 100 KB whatever the server sends (faults 62): a letter of
 * Hindi takes three times as many bytes as one of English, and what is written as an entity or an escape up to seven.
 */

function bytesOf(character: string): number {
  if (/[<>&"'\\\p{Cc}\p{Cs}]/u.test(character)) return 7;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  if (code < 0x8_00) return 2;
  return code < 0x1_00_00 ? 3 : 4;
}

/** As much of the text as takes at most so many bytes in a page; no character is cut in two. */
export function cutToBytes(value: string, limit: number): string {
  // A unit of UTF-16 takes 7 at most.
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

/** The first of the texts, whole, that take together at most so many bytes in a page. */
export function firstWithin(values: readonly string[], limit: number): string[] {
  let left = limit;
  const tooMany = values.findIndex((value) => {
    left -= [...value].reduce((sum, character) => sum + bytesOf(character), 0);
    return left < 0;
  });
  return tooMany === -1 ? [...values] : values.slice(0, tooMany);
}
