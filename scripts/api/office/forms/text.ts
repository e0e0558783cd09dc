import * as v from 'valibot';

export const text = (most: number) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.maxLength(most, `must have at most ${most} characters`),
    v.check(
      (typed) => typed.isWellFormed() && !/\p{Cc}/u.test(typed),
      'has characters that cannot be printed',
    ),
  );
