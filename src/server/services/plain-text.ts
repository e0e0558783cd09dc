import * as v from 'valibot';
import { isPlainText, withoutMarks } from '#domain/text.ts';

/**
 * Refuses control signs, ends of lines and marks of direction. Every text that a stranger sends and somebody is shown has
 * this in its schema; tests/server/app/every-call.test.ts walks all calls and names a field that lacks it.
 */
export const plainText = (message: string) => v.check(isPlainText, message);

/** What is said of a text of several lines that is missing, too long, or cannot be printed. */
interface LineWords {
  readonly missing: string;
  readonly long: string;
  readonly unprintable: string;
}

/**
 * A text of several lines, with at most so many characters. It loses the marks of direction that phones copy along with a
 * number, because a customer could not find and delete them. Its line breaks become '\n', and its tabs spaces.
 */
export const plainLines = (most: number, { missing, long, unprintable }: LineWords) =>
  v.pipe(
    v.string(missing),
    v.maxLength(most, long),
    v.transform((text) => withoutMarks(text).replaceAll(/\r\n?/g, '\n').replaceAll('\t', ' ').trim()),
    v.check((text) => text.split('\n').every(isPlainText), unprintable),
  );
