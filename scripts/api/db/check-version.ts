import { ExplainedError } from '#scripts/api/explained-error.ts';

/** Older programs leave a database alone that a newer one has changed. @throws ExplainedError */
export function checkVersion(version: number, known: number): void {
  if (version > known) {
    throw new ExplainedError(
      `The database has version ${version}; this program knows ${known}. Update the program.`,
    );
  }
}
