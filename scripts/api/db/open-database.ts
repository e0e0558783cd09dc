import { type Log, silentLog } from '#scripts/api/log.ts';
import type { Database } from './database.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

export const isPostgres = (address: string): boolean => /^postgres(?:ql)?:\/\//.test(address);

/** What may be shown of an address: a user and a password are left out. */
export function shownAddress(address: string): string {
  if (!isPostgres(address)) return address;
  const { host, pathname } = new URL(address);
  return `postgres://${host}${pathname}`;
}

/** Opens a database and applies the migrations that it lacks. @param address a file, `:memory:` or `postgres://…` */
export async function openDatabase(address: string, log: Log = silentLog): Promise<Database> {
  if (!isPostgres(address)) return openSqlite(address);
  return openPostgres(address, ({ message }) => log('warn', 'database connection lost', { message }));
}
