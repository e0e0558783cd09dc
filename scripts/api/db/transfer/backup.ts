import { existsSync, renameSync, rmSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { BACKED_UP_AT, setMeta } from '#scripts/api/db/meta.ts';
import { openDatabase, requireDatabase } from '#scripts/api/db/open-database.ts';
import { makePrivate } from '#scripts/api/db/sqlite/sqlite.ts';
import { databaseState } from '#scripts/api/db/state.ts';
import { ExplainedError } from '#scripts/program/explained-error.ts';
import { isPostgres } from '#scripts/settings/settings.ts';
import { endSessions } from './end-sessions.ts';
import { dumpPostgres, NOT_IN_BACKUPS, restorePostgres } from './postgres-backup.ts';

/** All pages in one step. If the shop changed the file between two steps, SQLite would begin again. */
const ALL_PAGES = 2 ** 31 - 1;

/**
 * Lets `make` write into a file beside, which gets its name only when it is complete. It holds addresses and hashed
 * passwords, so only its owner can read it.
 */
async function whole(file: string, make: (part: string) => Promise<void>): Promise<void> {
  const part = `${file}.part`;
  rmSync(part, { force: true });
  makePrivate(part);
  try {
    await make(part);
    renameSync(part, file);
  } finally {
    rmSync(part, { force: true });
  }
}

/** Copies a database of SQLite as it is at one moment. Others go on writing to it meanwhile. */
async function copySqlite(
  from: string,
  to: string,
  finish: (part: string) => Promise<void> = async () => {},
): Promise<void> {
  if (!existsSync(from)) throw new ExplainedError(`There is no file ${from}.`);
  const source = new DatabaseSync(from, { readOnly: true });
  try {
    source.prepare('SELECT count(*) FROM orders').get();
    await whole(to, async (part) => {
      await backup(source, part, { rate: ALL_PAGES });
      await finish(part);
    });
  } catch (error) {
    throw new ExplainedError(
      `${from} cannot be copied: ${error instanceof Error ? error.message : String(error)}`,
    );
  } finally {
    source.close();
  }
}

/** Deletes what no backup has, without a trace in the file. */
async function withoutSecrets(file: string): Promise<void> {
  const copy = new DatabaseSync(file);
  copy.exec('PRAGMA secure_delete = ON');
  // A file of an earlier version has no such tables yet.
  const isThere = copy.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
  for (const table of NOT_IN_BACKUPS) if (isThere.get(table)) copy.exec(`DELETE FROM ${table}`);
  // What was deleted before may still stand in the free pages of the file.
  copy.exec('VACUUM');
  copy.close();
}

/** A database of another version is left as it is: to open it would bring it up to date. */
async function noteBackup(database: string, now: number): Promise<void> {
  if ((await databaseState(database)) !== 'current') return;
  const db = await openDatabase(database);
  try {
    await db.write((transaction) => setMeta(transaction, BACKED_UP_AT, String(now)));
  } finally {
    await db.close();
  }
}

/**
 * Writes a database as it is at one moment into a new file, while the shop goes on, and notes in the database when that was.
 * @throws ExplainedError
 */
export async function backUp(database: string, file: string, now: number): Promise<void> {
  if (existsSync(file)) throw new ExplainedError(`There is already a file ${file}. Name a new one.`);
  await requireDatabase(database);
  if (isPostgres(database)) await whole(file, (part) => dumpPostgres(database, part));
  else await copySqlite(database, file, withoutSecrets);
  await noteBackup(database, now);
}

/**
 * Fills a database that is empty or not there from a file of `backUp`. Nothing that opens something once works afterwards.
 * @param now ms
 * @throws ExplainedError
 */
export async function restore(database: string, file: string, now: number): Promise<void> {
  if (!existsSync(file)) throw new ExplainedError(`There is no file ${file}.`);
  if (isPostgres(database)) {
    await restorePostgres(database, file);
    return endSessions(database, now);
  }
  // What SQLite keeps beside a file belongs to that file alone.
  const taken = [database, `${database}-wal`, `${database}-journal`].find((name) => existsSync(name));
  if (taken) throw new ExplainedError(`There is already a file ${taken}. Restore into a new one.`);
  await copySqlite(file, database, (part) => endSessions(part, now));
}
