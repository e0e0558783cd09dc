import * as v from 'valibot';
import { plainLines, plainText } from '#scripts/api/shop/plain-text.ts';

export const text = (most: number) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.maxLength(most, `must have at most ${most} characters`),
    plainText('has characters that cannot be printed'),
  );

/** The same for a text of several lines. */
export const textLines = (most: number) =>
  plainLines(most, {
    missing: 'is missing',
    long: `must have at most ${most} characters`,
    unprintable: 'has characters that cannot be printed',
  });
