import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { ExplainedError } from '#server/process/explained-error.ts';
import { type Log, silentLog } from '#server/process/log.ts';
import { isPostgres } from '#server/settings/settings.ts';
import type { Database } from './database.ts';
import { POSTGRES_MIGRATIONS, SQLITE_MIGRATIONS } from './migrations.ts';
import { countTables, hasMark, schemaVersion } from './postgres/migrate.ts';
import { openPostgres } from './postgres/postgres.ts';
import { isMarked, openSqlite } from './sqlite/sqlite.ts';

/** Returns undefined if the file is not a database of this shop. */
function sqliteVersion(file: string): number | undefined {
  const sqlite = new DatabaseSync(file, { readOnly: true });
  try {
    if (!isMarked(sqlite)) return undefined;
    return v.parse(v.object({ user_version: v.number() }), sqlite.prepare('PRAGMA user_version').get())
      .user_version;
  } finally {
    sqlite.close();
  }
}

/** Returns whether there is a database and whether this program fits it. Changes nothing. @throws ExplainedError */
export async function databaseState(
  address: string,
): Promise<'none' | 'foreign' | 'older' | 'current' | 'newer'> {
  if (!(await hasDatabase(address))) return 'none';
  const [version, mine] = isPostgres(address)
    ? [(await hasMark(address)) ? await schemaVersion(address) : undefined, POSTGRES_MIGRATIONS.length]
    : [sqliteVersion(address), SQLITE_MIGRATIONS.length];
  if (version === undefined) return 'foreign';
  if (version === mine) return 'current';
  return version < mine ? 'older' : 'newer';
}

/** Returns an address without user and password, for logs and terminals. */
export function shownAddress(address: string): string {
  if (!isPostgres(address)) return address;
  const { host, pathname } = new URL(address);
  return `postgres://${host}${pathname}`;
}

/** Opens a database and applies missing migrations. @param address a file, `:memory:` or `postgres://…` */
export async function openDatabase(address: string, log: Log = silentLog): Promise<Database> {
  return isPostgres(address)
    ? openPostgres(address, ({ message }) => log('warn', 'database connection lost', { message }))
    : openSqlite(address);
}

const HOW_TO_CREATE =
  'The API creates one at its first start (npm run api), and so do npm run backup -- --restore and npm run copy. DATABASE names it; npm run doctor shows where that is set.';

export const hasDatabase = async (address: string): Promise<boolean> =>
  isPostgres(address) ? (await countTables(address)) > 0 : existsSync(address) && statSync(address).size > 0;

/** Only the API's start, a restore and a copy create a database. @throws ExplainedError without one */
export async function requireDatabase(address: string): Promise<void> {
  if (!(await hasDatabase(address))) {
    throw new ExplainedError(`There is no database of a shop at ${shownAddress(address)}. ${HOW_TO_CREATE}`);
  }
}

/** Opens an existing database, as `openDatabase` does. @throws ExplainedError if there is none */
export async function openExistingDatabase(address: string): Promise<Database> {
  await requireDatabase(address);
  return openDatabase(address);
}
