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

/** By the codes of both databases. Of PostgreSQL's, the first two characters are the class. */
const PROBLEMS: readonly (readonly [codes: RegExp, problem: string])[] = [
  [/^(?:8|25006)$/, 'is read-only'],
  [/^53300$/, 'has no connection left: other programs hold them, or max_connections is too low'],
  [/^(?:28|3D).*/, 'refuses the user, the password or the name in DATABASE'],
  [/^42501$/, 'does not let the user of the shop write'],
  [/^(?:13|53100)$/, 'has no room left'],
  [/^(?:5|6|55P03)$/, 'is locked by another program'],
  [/^(?:10|58.*)$/, 'cannot read or write its disk'],
  [/^(?:11|26|XX.*)$/, 'is damaged: restore a backup'],
  [/^(?:14|08.*|57.*)$/, 'cannot be opened or reached'],
];

/** Returns what is wrong with the database, in a sentence. */
export function storageProblem({ code }: StorageError): string {
  const [, problem = 'refuses to work'] = PROBLEMS.find(([codes]) => codes.test(String(code))) ?? [];
  return `The database ${problem} (code ${code}).`;
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
