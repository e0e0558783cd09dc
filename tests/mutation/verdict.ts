import type { Outcome } from '#scripts/check/outcomes.ts';

/** What is told of a protection; only one whose tests pass with it and fail without it was `seen` to be needed. */
export type Verdict = { seen: boolean; word: string; why: string };

/** Of the outcomes that belong to the test of a protection, with it (`unbroken`) and without it. */
export function verdictOf(unbroken: readonly Outcome[], broken: readonly Outcome[]): Verdict {
  const told = (word: string, why = ''): Verdict => ({ seen: false, word, why });
  if (unbroken.length === 0) return told('NOT RUN');
  const wrong = unbroken.find(({ passed }) => !passed);
  if (wrong) return told('FAILS UNBROKEN', wrong.title);
  const failed = broken.find(({ passed }) => !passed);
  return failed ? { seen: true, word: 'fails', why: failed.title } : told('NOT SEEN');
}
