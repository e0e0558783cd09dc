import { setTimeout as pause } from 'node:timers/promises';
import { importCatalogue } from '#server/catalogue/folder/import.ts';
import { readCatalogue } from '#server/catalogue/folder/read.ts';
import type { Database } from '#server/db/database.ts';
import { StorageError, UnreachableDatabase } from '#server/db/errors.ts';
import { openDatabase } from '#server/db/open-database.ts';
import type { Log } from '#server/process/log.ts';
import { catalogueVersion } from '#server/services/catalogue-version.ts';
import { isPostgres, type Settings } from '#server/settings/settings.ts';

/** Between two attempts to reach the database, in ms. */
const PAUSE = 500;

/** Fills an empty database with the folder. A database that has a catalogue keeps its own. */
async function fillCatalogue(db: Database, folder: string, log: Log): Promise<void> {
  if ((await catalogueVersion(db)) === undefined) await importCatalogue(db, readCatalogue(folder));
  log('info', 'catalogue ready');
}

async function prepare({ database, catalogue }: Settings, log: Log): Promise<Database> {
  const db = await openDatabase(database, log);
  try {
    await fillCatalogue(db, catalogue, log);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

/**
 * Opens the database with its migrations and the catalogue. A PostgreSQL that is out of reach is tried
 * again until it is there, or `signal` aborts.
 */
export async function prepareDatabase(
  settings: Settings,
  log: Log,
  signal: AbortSignal | undefined,
): Promise<Database> {
  const mayComeBack = (error: unknown): error is Error =>
    error instanceof UnreachableDatabase || (error instanceof StorageError && isPostgres(settings.database));
  for (let isTold = false; ; isTold = true) {
    try {
      return await prepare(settings, log);
    } catch (error) {
      if (!mayComeBack(error)) throw error;
      if (!isTold) log('error', 'The database is out of reach. Trying again.', { reason: error.message });
    }
    await pause(PAUSE, undefined, { signal });
  }
}
