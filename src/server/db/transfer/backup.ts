import { execFile } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { BACKED_UP_AT, setMeta } from '#server/db/meta.ts';
import { databaseState, requireDatabase, withDatabase } from '#server/db/open-database.ts';
import { q } from '#server/db/query.ts';
import { makePrivate } from '#server/db/sqlite/sqlite.ts';
import { ExplainedError } from '#server/process/explained-error.ts';
import { deniedMessage } from '#server/process/permissions.ts';
import { isPostgres } from '#server/settings/settings.ts';
import { type Restored, skipNumbers } from './order-numbers.ts';

const run = promisify(execFile);

/** Runs a client program. The password is in the environment, because every user can see arguments. */
async function runClient(program: string, database: string, args: readonly string[]): Promise<void> {
  const address = new URL(database);
  const password = decodeURIComponent(address.password);
  address.password = '';
  const env = { ...process.env, ...(password === '' ? {} : { PGPASSWORD: password }) };
  try {
    await run(program, [`--dbname=${address.href}`, ...args], { env });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new ExplainedError(`${program} is not installed. Install PostgreSQL's client programs.`);
    }
    const reason = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    throw new ExplainedError(reason);
  }
}

/** Not part of backups: queued emails may have been sent since, and sessions and links give access. */
const NOT_IN_BACKUPS = ['emails', 'tokens'] as const;

/**
 * Invalidates everything that works only once, because it may have been used or revoked since the backup. The periods
 * of a second factor count as used for two more minutes, so no code is accepted twice.
 */
const INVALIDATE = [
  // Copies that were made without this program contain them.
  ...NOT_IN_BACKUPS.map((table) => `DELETE FROM ${table}`),
  'DELETE FROM email_changes',
  // A device may have been lost since.
  'DELETE FROM devices',
  'DELETE FROM staff_recovery_codes',
  'UPDATE staff SET password_hash = NULL',
];

const CODE_PERIOD_MS = 30_000;
const PERIODS_AHEAD = 4;

/**
 * Ends sessions, links, recovery codes and the passwords of the staff, because a backup would restore those of
 * people who have left. An owner gets in with `npm run staff -- link`.
 * @param now ms
 */
export const endSessions = (database: string, now: number): Promise<void> =>
  withDatabase(database, (db) =>
    db.write(async (transaction) => {
      for (const text of INVALIDATE) await transaction.run(sql.raw(text));
      const lastPeriod = Math.floor(now / CODE_PERIOD_MS) + PERIODS_AHEAD;
      await transaction.run(q.updateTable('staffSecondFactors').set({ lastPeriod }));
    }),
  );

/** Ends the sessions of a restored backup and skips order numbers. @param database its address before it gets its name */
async function finishRestore(database: string, now: number): Promise<Restored> {
  await endSessions(database, now);
  return withDatabase(database, (db) =>
    db.write((transaction) => skipNumbers(transaction, isPostgres(database), now)),
  );
}

/** All pages in one step. If the shop wrote between two steps, SQLite would start over. */
const ALL_PAGES = 2 ** 31 - 1;

/** Writes into a temporary file beside it, which is renamed when it is complete. Only its owner can read it. */
async function writeWhole<T>(file: string, make: (part: string) => Promise<T>): Promise<T> {
  const part = `${file}.part`;
  rmSync(part, { force: true });
  makePrivate(part);
  try {
    const made = await make(part);
    renameSync(part, file);
    return made;
  } finally {
    rmSync(part, { force: true });
  }
}

/** Takes a consistent snapshot of a SQLite database while other connections write. */
async function copySqlite<T>(from: string, to: string, finish: (part: string) => Promise<T>): Promise<T> {
  if (!existsSync(from)) throw new ExplainedError(`There is no file ${from}.`);
  using source = new DatabaseSync(from, { readOnly: true });
  try {
    source.prepare('SELECT count(*) FROM orders').get();
    return await writeWhole(to, async (part) => {
      await backup(source, part, { rate: ALL_PAGES });
      return finish(part);
    });
  } catch (error) {
    const reason = deniedMessage(error) ?? (error instanceof Error ? error.message : String(error));
    throw new ExplainedError(`${from} cannot be copied: ${reason}`);
  }
}

/** Deletes the tables that are not part of backups, without a trace in the file. */
async function deleteExcluded(file: string): Promise<void> {
  using copy = new DatabaseSync(file);
  copy.exec('PRAGMA secure_delete = ON');
  // A file of another version may not have the table.
  const isThere = copy.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
  for (const table of NOT_IN_BACKUPS) if (isThere.get(table)) copy.exec(`DELETE FROM ${table}`);
  // Free pages may still contain deleted data.
  copy.exec('VACUUM');
}

/** pg_dump reads in one transaction, so the dump is consistent. */
const dumpPostgres = (database: string, file: string): Promise<void> =>
  runClient('pg_dump', database, [
    '--format=custom',
    '--no-owner',
    ...NOT_IN_BACKUPS.map((table) => `--exclude-table-data=*.${table}`),
    `--file=${file}`,
  ]);

/** Writes a consistent snapshot of a database into a new file, with its time. @throws ExplainedError */
export async function backUp(database: string, file: string, now: number): Promise<void> {
  if (existsSync(file)) throw new ExplainedError(`There is already a file ${file}. Name a new one.`);
  await requireDatabase(database);
  if (isPostgres(database)) await writeWhole(file, (part) => dumpPostgres(database, part));
  else await copySqlite(database, file, deleteExcluded);
  // Opening a database of another version would migrate it, so the time is not stored there.
  if ((await databaseState(database)) === 'current')
    await withDatabase(database, (db) =>
      db.write((transaction) => setMeta(transaction, BACKED_UP_AT, String(now))),
    );
}

/** Restores all or nothing into an empty or new database. No session, link or code works afterwards. @throws ExplainedError */
export async function restore(database: string, file: string, now: number): Promise<Restored> {
  if (!existsSync(file)) throw new ExplainedError(`There is no file ${file}.`);
  if (isPostgres(database)) {
    if ((await databaseState(database)) !== 'none')
      throw new ExplainedError('The database is not empty. Restore into a new one.');
    await runClient('pg_restore', database, ['--single-transaction', '--exit-on-error', '--no-owner', file]);
    return finishRestore(database, now);
  }
  // SQLite would apply the leftover files of another database to this one.
  const taken = [database, `${database}-wal`, `${database}-journal`].find((name) => existsSync(name));
  if (taken) throw new ExplainedError(`There is already a file ${taken}. Restore into a new one.`);
  return copySqlite(file, database, (part) => finishRestore(part, now));
}
