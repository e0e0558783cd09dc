import type { Outcome } from './outcomes.ts';
import { idsIn, type Proof } from './proofs.ts';

/** What was wrong in one run, counted from 1. */
export type RunFailure = { run: number; file: string; title: string; message: string };

/** How the tests that name a statement did: of `tests` in a run, all passed in `wholeRuns` of the runs. */
export type Tally = { tests: number; wholeRuns: number };

/** The failures of a run, and proofs that stand in a file but did not run: fewer tests than its titles and rows name. */
export const failuresOf = (
  tag: string,
  run: number,
  outcomes: readonly Outcome[],
  proofs: readonly Proof[],
): RunFailure[] => {
  const failed = outcomes.filter(({ passed }) => !passed);
  const missed = proofs.filter(({ id, file }) => {
    const named = proofs.filter((proof) => proof.id === id && proof.file === file);
    const ran = outcomes.filter((each) => each.file === file && idsIn(tag, each.title).includes(id));
    return ran.length < named.length;
  });
  return [
    ...failed.map(({ file, title, message }) => ({ run, file, title, message })),
    ...missed.map(({ id, file, title }) => ({
      run,
      file,
      title: `[${tag} ${id}] ${title}`,
      message: 'Not every test that is named so in this file was run.',
    })),
  ];
};

/** The tests that name a statement, in every run. */
export const tallyOf = (tag: string, id: string, runs: readonly (readonly Outcome[])[]): Tally => {
  const perRun = runs.map((outcomes) => outcomes.filter(({ title }) => idsIn(tag, title).includes(id)));
  const tests = Math.max(0, ...perRun.map(({ length }) => length));
  const isWhole = (outcomes: Outcome[]): boolean =>
    tests > 0 && outcomes.length === tests && outcomes.every(({ passed }) => passed);
  return { tests, wholeRuns: perRun.filter(isWhole).length };
};
