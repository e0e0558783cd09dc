import { DatabaseError } from 'pg';
import * as v from 'valibot';
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

/**
 * The codes which mean that the storage failed, not the SQL, and what is wrong then. SQLite's have one or two digits
 * (https://sqlite.org/rescode.html). PostgreSQL's have five characters, of which the first two are the class
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const PROBLEMS: readonly (readonly [codes: RegExp, problem: string])[] = [
  [/^(?:8|25006)$/, 'is read-only'],
  [/^53300$/, 'has no connection left: other programs hold them, or max_connections is too low'],
  [/^(?:28|3D)...$/, 'refuses the user, the password or the name in DATABASE'],
  [/^42501$/, 'does not let the user of the shop write'],
  [/^(?:13|53100)$/, 'has no room left'],
  [/^(?:5|6|55P03)$/, 'is locked by another program'],
  [/^(?:10|58...)$/, 'cannot read or write its disk'],
  [/^(?:11|26|XX...)$/, 'is damaged: restore a backup'],
  [/^(?:14|08...|57...)$/, 'cannot be opened or reached'],
  // No memory, a protocol of locks that failed, and transactions that were rolled back.
  [/^(?:7|15|40...|53...)$/, 'refuses to work'],
];

const problemOf = (code: number | string): string | undefined =>
  PROBLEMS.find(([codes]) => codes.test(String(code)))?.[1];

/** Returns what is wrong with the database, in a sentence. */
export const storageProblem = ({ code }: StorageError): string =>
  `The database ${problemOf(code) ?? 'refuses to work'} (code ${code}).`;

/** The database could not be reached at the start. A later attempt may succeed. */
export class UnreachableDatabase extends ExplainedError {}

/** A text has a zero byte, which PostgreSQL cannot store. The API answers 422. */
export class UnstorableText extends Error {}

/** A unique value is taken. On PostgreSQL, another transaction may have stored it after a check. */
export class NotUnique extends Error {}

const SqliteErrorSchema = v.object({ code: v.literal('ERR_SQLITE_ERROR'), errcode: v.number() });

/** An extended result code has the primary one in its lowest byte. */
const PRIMARY_CODE = 0xff;

/** The connection could not be opened, or broke. The last statement may or may not have run. */
const CONNECTION_LOST = '08006';

const UNIQUE_VIOLATION = '23505';

/** Converts SQLite's storage errors to StorageError. Returns other errors as they are. */
export function sqliteError(error: unknown): unknown {
  const parsed = v.safeParse(SqliteErrorSchema, error);
  const code = parsed.success ? parsed.output.errcode & PRIMARY_CODE : 0;
  return problemOf(code) ? new StorageError(code, { cause: error }) : error;
}

/** Does the same for PostgreSQL's, and converts a taken value to NotUnique. */
export function postgresError(error: unknown): unknown {
  if (error instanceof DatabaseError) {
    const { code = '' } = error;
    if (code === UNIQUE_VIOLATION) return new NotUnique(error.message, { cause: error });
    return problemOf(code) ? new StorageError(code, { cause: error }) : error;
  }
  // The driver has no error class for connections.
  const isOfConnection = error instanceof Error && !(error instanceof TypeError);
  return isOfConnection ? new StorageError(CONNECTION_LOST, { cause: error }) : error;
}

const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof StorageError && codes.includes(String(error.code));

export const isConnectionLost = (error: unknown): boolean => hasCode(error, CONNECTION_LOST);

/** Whether another transaction conflicted: a serialization failure or a deadlock. Nothing was stored. */
export const isRace = (error: unknown): boolean => hasCode(error, '40001', '40P01');

/** Whether another process holds a lock of SQLite. */
export const isBusy = (error: unknown): boolean => hasCode(error, '5', '6');

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
