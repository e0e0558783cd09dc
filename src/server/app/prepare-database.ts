import { setTimeout as pause } from 'node:timers/promises';
import { importCatalogue } from '#server/catalogue/folder/import.ts';
import { readCatalogue } from '#server/catalogue/folder/read.ts';
import { catalogueVersion } from '#server/db/catalogue-version.ts';
import type { Database } from '#server/db/database.ts';
import { StorageError, UnreachableDatabase } from '#server/db/errors.ts';
import { openDatabase } from '#server/db/open-database.ts';
import type { Log } from '#server/process/log.ts';
import { isPostgres, type Settings } from '#server/settings/settings.ts';

/** Between two attempts to connect, in ms. */
const RETRY_PAUSE = 500;

/** Imports the folder into an empty database. An existing catalogue is left alone. */
async function prepare({ database, catalogue }: Settings, log: Log): Promise<Database> {
  const db = await openDatabase(database, log);
  try {
    if ((await catalogueVersion(db)) === undefined) await importCatalogue(db, readCatalogue(catalogue));
    log('info', 'catalogue ready');
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

/**
 * Opens the database, runs the migrations and imports the catalogue. Retries while PostgreSQL is unreachable, until
 * `signal` aborts. @throws CatalogueError, or the signal's reason
 */
export async function prepareDatabase(
  settings: Settings,
  log: Log,
  signal: AbortSignal | undefined,
): Promise<Database> {
  const isTransient = (error: unknown): error is Error =>
    error instanceof UnreachableDatabase || (error instanceof StorageError && isPostgres(settings.database));
  for (let isLogged = false; ; isLogged = true) {
    try {
      return await prepare(settings, log);
    } catch (error) {
      if (!isTransient(error)) throw error;
      if (!isLogged) log('error', 'The database is unreachable. Retrying.', { reason: error.message });
    }
    await pause(RETRY_PAUSE, undefined, { signal });
  }
}
