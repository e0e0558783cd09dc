import type { Database } from './database.ts';
import { openSqlite } from './sqlite.ts';

/** Opens a database and applies the migrations that it lacks. @param address a file or `:memory:` */
export async function openDatabase(address: string): Promise<Database> {
  return openSqlite(address);
}
