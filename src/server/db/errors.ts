import { ExplainedError } from '#server/process/explained-error.ts';
import type { Value } from './database.ts';

/** The database is locked, full, read-only, broken or out of reach. The answer is a 503, because it is no bug. */
export class StorageError extends Error {
  /** SQLite's primary result code, or PostgreSQL's SQLSTATE. */
  readonly code: number | string;

  constructor(code: number | string, options: { cause: unknown }) {
    super(`The database answered with code ${code}`, options);
    this.code = code;
  }
}

/** The database could not be reached to open it. A later attempt may succeed. */
export class UnreachableDatabase extends ExplainedError {}

/**
 * Thrown for a text with a zero byte, which the API answers with a 422. PostgreSQL cannot store such a text and no
 * person types one, so it is refused with SQLite too.
 */
export class UnstorableText extends Error {}

/**
 * A value that must be unique is taken. Only PostgreSQL throws it where a statement has looked before, because another
 * transaction may store the value meanwhile.
 */
export class NotUnique extends Error {}

/** Returns a statement's values, if every database can store them. @throws UnstorableText */
export function requireStorable(values: readonly Value[]): Value[] {
  if (values.some((value) => typeof value === 'string' && value.includes('\0'))) {
    throw new UnstorableText('A text has a zero byte.');
  }
  return [...values];
}

/** Older programs leave a database alone that a newer one has changed. @throws ExplainedError */
export function checkVersion(version: number, known: number): void {
  if (version > known) {
    throw new ExplainedError(
      `The database has version ${version}; this program knows ${known}. Update the program.`,
    );
  }
}
