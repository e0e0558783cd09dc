import * as v from 'valibot';
import { plainText } from '#scripts/api/shop/plain-text.ts';

export const text = (most: number) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.maxLength(most, `must have at most ${most} characters`),
    plainText('has characters that cannot be printed'),
  );
