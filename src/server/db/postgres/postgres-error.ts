import { DatabaseError } from 'pg';
import { NotUnique, StorageError } from '#server/db/errors.ts';

/**
 * https://www.postgresql.org/docs/current/errcodes-appendix.html: lost connections, read-only, a refused user or database, rolled
 * back, no right to write, full, locks not available in time, shut down or cut off, and failures of the system.
 */
const STORAGE_CODES = /^(?:08|25006|28|3D|40|42501|53|55P03|57|58|XX)/;

/** The connection could not be opened, or broke. The last statement may or may not have run. */
const CONNECTION_LOST = '08006';

const UNIQUE_VIOLATION = '23505';

/** Converts storage errors to StorageError, and a taken value to NotUnique. Returns others as they are. */
export function storageError(error: unknown): unknown {
  if (error instanceof DatabaseError) {
    const { code = '' } = error;
    if (code === UNIQUE_VIOLATION) return new NotUnique(error.message, { cause: error });
    return STORAGE_CODES.test(code) ? new StorageError(code, { cause: error }) : error;
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
