import * as v from 'valibot';
import { StorageError } from '#server/db/errors.ts';

/** SQLite's result codes which mean that the storage failed, not the SQL (https://sqlite.org/rescode.html). */
const CODES = {
  BUSY: 5,
  LOCKED: 6,
  NOMEM: 7,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  PROTOCOL: 15,
  NOTADB: 26,
};

const STORAGE_CODES = new Set(Object.values(CODES));

/** An extended result code has the primary one in its lowest byte. */
const PRIMARY_CODE = 0xff;

const SqliteErrorSchema = v.object({ code: v.literal('ERR_SQLITE_ERROR'), errcode: v.number() });

/** Converts SQLite's storage errors to StorageError. Returns other errors as they are. */
export function storageError(error: unknown): unknown {
  const parsed = v.safeParse(SqliteErrorSchema, error);
  const code = parsed.success ? parsed.output.errcode & PRIMARY_CODE : 0;
  return STORAGE_CODES.has(code) ? new StorageError(code, { cause: error }) : error;
}

export const isBusy = (error: unknown): boolean =>
  error instanceof StorageError && (error.code === CODES.BUSY || error.code === CODES.LOCKED);

/** Runs SQL. @throws StorageError if the storage fails */
export function withStorageErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storageError(error);
  }
}
