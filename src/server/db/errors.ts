import { ExplainedError } from '#server/process/explained-error.ts';
import type { Value } from './database.ts';

/** The database is locked, full, read-only, broken or unreachable. The API answers 503, because it is not a bug. */
export class StorageError extends Error {
  /** SQLite's primary result code, or PostgreSQL's SQLSTATE. */
  readonly code: number | string;

  constructor(code: number | string, options: { cause: unknown }) {
    super(`The database answered with code ${code}`, options);
    this.code = code;
  }
}

/** The database could not be reached at the start. A later attempt may succeed. */
export class UnreachableDatabase extends ExplainedError {}

/** A text has a zero byte, which PostgreSQL cannot store. The API answers 422. */
export class UnstorableText extends Error {}

/** A unique value is taken. On PostgreSQL, another transaction may have stored it after a check. */
export class NotUnique extends Error {}

const isValue = (value: unknown): value is Value =>
  typeof value === 'string' || typeof value === 'number' || value === null || value instanceof Uint8Array;

/** Returns a copy of a statement's values. @throws UnstorableText */
export const requireStorable = (values: readonly unknown[]): Value[] =>
  values.map((value) => {
    if (typeof value === 'string' && value.includes('\0'))
      throw new UnstorableText('A text has a zero byte.');
    if (!isValue(value)) throw new TypeError(`${typeof value} is no value of a statement.`);
    return value;
  });
