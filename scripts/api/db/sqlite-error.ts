import * as v from 'valibot';
import { StorageError } from './storage-error.ts';

const BUSY = 5;
const LOCKED = 6;

/** https://sqlite.org/rescode.html: BUSY LOCKED NOMEM READONLY IOERR CORRUPT FULL CANTOPEN PROTOCOL NOTADB */
const STORAGE_CODES = new Set([BUSY, LOCKED, 7, 8, 10, 11, 13, 14, 15, 26]);

const SqliteErrorSchema = v.object({ code: v.literal('ERR_SQLITE_ERROR'), errcode: v.number() });

/** Turns SQLite's errors of storage into a StorageError and leaves any other as it is. */
export function storageError(error: unknown): unknown {
  const parsed = v.safeParse(SqliteErrorSchema, error);
  const code = parsed.success ? parsed.output.errcode & 0xff : 0;
  return STORAGE_CODES.has(code) ? new StorageError(code, { cause: error }) : error;
}

export const isBusy = (error: unknown): boolean =>
  error instanceof StorageError && (error.code === BUSY || error.code === LOCKED);

/** Runs SQL and throws a StorageError where the storage fails. */
export function translated<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storageError(error);
  }
}
