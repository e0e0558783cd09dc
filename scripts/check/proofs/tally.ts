import type { Outcome } from '#scripts/check/outcomes.ts';
import { idsIn, type Proof } from './proofs.ts';

/** A failure in one run. Runs are counted from 1. */
export type RunFailure = { run: number; file: string; title: string; message: string };

/** The result for a statement: a run has `tests` that name it, and all of them passed in `wholeRuns` of the runs. */
export type Tally = { tests: number; wholeRuns: number };

/** The failed tests of a run, and the proofs in files of which fewer tests ran than their titles and rows name. */
export const failuresOf = (
  tag: string,
  run: number,
  outcomes: readonly Outcome[],
  proofs: readonly Proof[],
): RunFailure[] => {
  const failed = outcomes.filter(({ passed }) => !passed);
  const place = ({ id, file }: { id: string; file: string }): string => `${id} ${file}`;
  const proofsByPlace = Map.groupBy(proofs, place);
  const runsByPlace = Map.groupBy(
    outcomes.flatMap(({ file, title }) => idsIn(tag, title).map((id) => ({ id, file }))),
    place,
  );
  const notRun = [...proofsByPlace]
    .filter(([key, { length }]) => (runsByPlace.get(key)?.length ?? 0) < length)
    .flatMap(([, missing]) => missing);
  return [
    ...failed.map(({ file, title, message }) => ({ run, file, title, message })),
    ...notRun.map(({ id, file, title }) => ({
      run,
      file,
      title: `[${tag} ${id}] ${title}`,
      message: 'Not every test that is named so in this file was run.',
    })),
  ];
};

/** Counts the tests that name a statement over all runs. */
export const tallyOf = (tag: string, id: string, runs: readonly (readonly Outcome[])[]): Tally => {
  const perRun = runs.map((outcomes) => outcomes.filter(({ title }) => idsIn(tag, title).includes(id)));
  const tests = Math.max(0, ...perRun.map(({ length }) => length));
  const isWhole = (outcomes: Outcome[]): boolean =>
    tests > 0 && outcomes.length === tests && outcomes.every(({ passed }) => passed);
  return { tests, wholeRuns: perRun.filter(isWhole).length };
};
