import type { Outcome } from './outcomes.ts';
import { idsIn, type Proof } from './proofs.ts';

/** What was wrong in one run of all tests of the faults, counted from 1. */
export type RunFailure = { run: number; file: string; title: string; message: string };

/** How a fault's tests did: of `tests` in a run, all passed in `wholeRuns` of the runs. */
export type Tally = { tests: number; wholeRuns: number };

const provesIn = ({ file, title }: Outcome, proof: Proof): boolean =>
  file === proof.file && idsIn('fault', title).includes(proof.id);

/** The failures of a run, and proofs that stand in a file but did not run: fewer tests than its titles and rows name. */
export const failuresOf = (
  run: number,
  outcomes: readonly Outcome[],
  proofs: readonly Proof[],
): RunFailure[] => {
  const failed = outcomes.filter(({ passed }) => !passed);
  const missed = proofs.filter((proof) => {
    const named = proofs.filter(({ id, file }) => id === proof.id && file === proof.file);
    return outcomes.filter((outcome) => provesIn(outcome, proof)).length < named.length;
  });
  return [
    ...failed.map(({ file, title, message }) => ({ run, file, title, message })),
    ...missed.map(({ id, file, title }) => ({
      run,
      file,
      title: `[fault ${id}] ${title}`,
      message: 'Not every test that names this fault here was run.',
    })),
  ];
};

/** The tests that name a fault, in every run. */
export const tallyOf = (fault: string, runs: readonly (readonly Outcome[])[]): Tally => {
  const perRun = runs.map((outcomes) =>
    outcomes.filter(({ title }) => idsIn('fault', title).includes(fault)),
  );
  const tests = Math.max(0, ...perRun.map(({ length }) => length));
  const isWhole = (outcomes: Outcome[]): boolean =>
    tests > 0 && outcomes.length === tests && outcomes.every(({ passed }) => passed);
  return { tests, wholeRuns: perRun.filter(isWhole).length };
};
