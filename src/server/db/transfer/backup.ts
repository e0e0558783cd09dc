import { execFile } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { BACKED_UP_AT, setMeta } from '#server/db/meta.ts';
import { databaseState, openDatabase, requireDatabase } from '#server/db/open-database.ts';
import { countTables } from '#server/db/postgres/migrate.ts';
import { makePrivate } from '#server/db/sqlite/sqlite.ts';
import { ExplainedError } from '#server/process/explained-error.ts';
import { isPostgres } from '#server/settings/settings.ts';

const run = promisify(execFile);

/** Runs one of PostgreSQL's own programs. The password is not among its arguments, which every user of a computer can see. */
async function runClient(program: string, database: string, args: readonly string[]): Promise<void> {
  const address = new URL(database);
  const password = decodeURIComponent(address.password);
  address.password = '';
  const env = { ...process.env, ...(password === '' ? {} : { PGPASSWORD: password }) };
  try {
    await run(program, [`--dbname=${address.href}`, ...args], { env });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new ExplainedError(`${program} is not here. Install PostgreSQL's client programs.`);
    }
    const told = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    throw new ExplainedError(told);
  }
}

/** These tables are in no backup: what waits to be sent then may have been sent since, and links open something. */
export const NOT_IN_BACKUPS = ['emails', 'email_links'] as const;

/** pg_dump reads everything in one transaction, as it was when it began. */
export const dumpPostgres = (database: string, file: string): Promise<void> =>
  runClient('pg_dump', database, [
    '--format=custom',
    '--no-owner',
    ...NOT_IN_BACKUPS.map((table) => `--exclude-table-data=*.${table}`),
    `--file=${file}`,
  ]);

/** All of it or nothing. @throws ExplainedError where the database has tables */
export async function restorePostgres(database: string, file: string): Promise<void> {
  if ((await countTables(database)) > 0) {
    throw new ExplainedError('The database is not empty. Restore into a new one.');
  }
  await runClient('pg_restore', database, ['--single-transaction', '--exit-on-error', '--no-owner', file]);
}

/**
 * Whatever opens something once. A backup brings back what has been used or taken back since, so none of it may work after
 * a restore. A period of a second factor counts as used up to two minutes from now, so no code is accepted twice.
 */
const STATEMENTS = [
  // A copy of the database that was made without the program has them.
  ...NOT_IN_BACKUPS.map((table) => `DELETE FROM ${table}`),
  'DELETE FROM sessions',
  'DELETE FROM email_changes',
  // Among them may be a phone that was lost since.
  'DELETE FROM customer_devices',
  'DELETE FROM staff_devices',
  'DELETE FROM staff_sessions',
  'DELETE FROM staff_links WHERE used_at IS NULL',
  'DELETE FROM staff_sign_in_steps',
  'DELETE FROM staff_recovery_codes',
  'UPDATE staff SET password_hash = NULL',
];

const CODE_PERIOD_MS = 30_000;
const PERIODS_AHEAD = 4;

/**
 * Ends sessions, links, recovery codes and the passwords of the staff, because a backup would bring back those of people who
 * have left since. An owner gets in by `npm run staff -- link`, and gives links to those who still work here.
 * @param now ms
 */
export async function endSessions(database: string, now: number): Promise<void> {
  const db = await openDatabase(database);
  try {
    await db.write(async (transaction) => {
      for (const sql of STATEMENTS) await transaction.run(sql);
      await transaction.run(
        'UPDATE staff_second_factors SET last_period = ?',
        Math.floor(now / CODE_PERIOD_MS) + PERIODS_AHEAD,
      );
    });
  } finally {
    await db.close();
  }
}

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
