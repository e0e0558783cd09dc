import * as v from 'valibot';
import { isPlainText, withoutMarks } from '#domain/plain-text.ts';

/**
 * Refuses control signs, ends of lines and marks of direction. Every text that a stranger sends and somebody is shown has
 * this in its schema; tests/api/app/strangers-text.test.ts walks all calls and names a field that lacks it.
 */
export const plainText = (message: string) => v.check(isPlainText, message);

/**
 * A text of several lines, with at most so many characters. It loses the marks of direction that phones copy along with a
 * number, because a customer could not find and delete them. Its line breaks become '\n', and its tabs spaces.
 */
export const plainLines = (most: number) =>
  v.pipe(
    v.string('Enter your message'),
    v.maxLength(most, `A message can have at most ${most.toLocaleString('en-IN')} characters`),
    v.transform((text) => withoutMarks(text).replaceAll(/\r\n?/g, '\n').replaceAll('\t', ' ').trim()),
    v.nonEmpty('Enter your message'),
    v.check(
      (text) => text.split('\n').every(isPlainText),
      'The message has characters that cannot be printed',
    ),
  );
