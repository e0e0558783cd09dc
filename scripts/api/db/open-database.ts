import { type Log, silentLog } from '#scripts/api/log.ts';
import type { Database } from './database.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
import { hasWalFault } from './wal-fault.ts';

export const isPostgres = (address: string): boolean => /^postgres(?:ql)?:\/\//.test(address);

/** What may be shown of an address: a user and a password are left out. */
export function shownAddress(address: string): string {
  if (!isPostgres(address)) return address;
  const { host, pathname } = new URL(address);
  return `postgres://${host}${pathname}`;
}

/**
 * Opens a database and applies the migrations that it lacks. @param address a file, `:memory:` or `postgres://…`
 * @param sqlite the version of Node's SQLite
 */
export async function openDatabase(
  address: string,
  log: Log = silentLog,
  sqlite = process.versions.sqlite ?? '',
): Promise<Database> {
  if (!isPostgres(address)) {
    if (hasWalFault(sqlite)) {
      log(
        'warn',
        'This SQLite can corrupt a file that two processes write at the same moment. Update Node.',
        {
          sqlite,
        },
      );
    }
    return openSqlite(address);
  }
  return openPostgres(address, ({ message }) => log('warn', 'database connection lost', { message }));
}
