import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { ExplainedError } from '#server/process/explained-error.ts';
import { type Log, silentLog } from '#server/process/log.ts';
import { isPostgres } from '#server/settings/settings.ts';
import type { Database } from './database.ts';
import { NEWEST_VERSION, UNRELEASED_VERSION } from './migrations.ts';
import { postgresVersion } from './postgres/migrate.ts';
import { openPostgres } from './postgres/postgres.ts';
import { isMarked, openSqlite, versionOf } from './sqlite/sqlite.ts';

/** Returns its version. */
function sqliteVersion(file: string): number | 'none' | 'foreign' {
  if (!existsSync(file) || statSync(file).size === 0) return 'none';
  using sqlite = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  return isMarked(sqlite) ? versionOf(sqlite) : 'foreign';
}

const versionAt = async (address: string) =>
  isPostgres(address) ? postgresVersion(address) : sqliteVersion(address);

export const UNRELEASED = 'The database was made by a version before the release: delete .data.';

/** Returns whether there is a database and whether this program fits it. Changes nothing. @throws ExplainedError */
export const databaseState = async (address: string) => stateOf(await versionAt(address));

function stateOf(version: Awaited<ReturnType<typeof versionAt>>) {
  if (typeof version === 'string') return version;
  if (version === NEWEST_VERSION) return 'current';
  // Version 0 is an empty SQLite file, which another process may be about to fill.
  if (version > 0 && version <= UNRELEASED_VERSION) return 'unreleased';
  return version < NEWEST_VERSION ? 'older' : 'newer';
}

/** Returns an address without user and password, for logs and terminals. */
export function shownAddress(address: string): string {
  if (!isPostgres(address)) return address;
  const { host, pathname } = new URL(address);
  return `postgres://${host}${pathname}`;
}

/**
 * Opens a database and applies missing migrations. Refuses, without a change, a database of another program, of an
 * unreleased version or of a newer one.
 * @param address a file, `:memory:` or `postgres://…` @throws ExplainedError
 */
export async function openDatabase(address: string, log: Log = silentLog): Promise<Database> {
  const version = await versionAt(address);
  const state = stateOf(version);
  if (state === 'foreign')
    throw new ExplainedError(
      `'${shownAddress(address)}' is not a database of this shop: move it away, and the API creates a new one at its start.`,
    );
  if (state === 'unreleased') throw new ExplainedError(UNRELEASED);
  if (state === 'newer')
    throw new ExplainedError(
      `The database has version ${version}; this program knows ${NEWEST_VERSION}. Update the program.`,
    );
  return isPostgres(address)
    ? openPostgres(address, ({ message }) => log('warn', 'database connection lost', { message }))
    : openSqlite(address);
}

/** Only the API's start, a restore and a copy create a database. @throws ExplainedError without one */
export async function requireDatabase(address: string): Promise<void> {
  if ((await databaseState(address)) !== 'none') return;
  throw new ExplainedError(
    `There is no database of a shop at ${shownAddress(address)}. The API creates one at its first start (npm run api), and so do npm run backup -- --restore and npm run copy. DATABASE names it; npm run doctor shows where that is set.`,
  );
}

/** Opens a database for this work. */
export async function withDatabase<T>(address: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(address);
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}
