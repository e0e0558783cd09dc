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
  const place = ({ id, file }: { id: string; file: string }): string => `${id} ${file}`;
  const named = Map.groupBy(proofs, place);
  const ran = Map.groupBy(
    outcomes.flatMap(({ file, title }) => idsIn(tag, title).map((id) => ({ id, file }))),
    place,
  );
  const missed = [...named]
    .filter(([where, { length }]) => (ran.get(where)?.length ?? 0) < length)
    .flatMap(([, each]) => each);
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
