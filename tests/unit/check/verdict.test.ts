import { expect, it } from 'vitest';
import { verdictOf } from '#tests/mutation/verdict.ts';

const outcome = (title: string, passed: boolean) => ({ file: 'a.test.ts', title, passed, message: '' });
const good = outcome('guards', true);
const bad = outcome('guards', false);

it('a protection is seen to be needed where its test passes with it and fails without', () => {
  expect(verdictOf([good], [bad])).toEqual({ seen: true, word: 'fails', why: 'guards' });
  expect(verdictOf([good, outcome('serves', true)], [good, outcome('serves', false)])).toMatchObject({
    why: 'serves',
  });
});

it.each([
  ['fails unbroken already', [bad], [bad], 'FAILS UNBROKEN'],
  ['was not run', [], [bad], 'NOT RUN'],
  ['passes all the same', [good], [good], 'NOT SEEN'],
  ['did not end without it', [good], [], 'NOT SEEN'],
])('it is not where the test %s', (_, unbroken, broken, word) => {
  expect(verdictOf(unbroken, broken)).toMatchObject({ seen: false, word });
});
