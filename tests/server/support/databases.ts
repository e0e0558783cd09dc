import { join } from 'node:path';
import { Client } from 'pg';
import type { Database } from '#server/db/database.ts';
import { openDatabase } from '#server/db/open-database.ts';
import { isPostgres } from '#server/settings/settings.ts';

/** Returns addresses of empty databases. */
export interface Source {
  readonly inMemory: () => Promise<string>;
  /** One that outlives its connections. @param file where it may be */
  readonly stored: (file: string) => Promise<string>;
}

let source: Source = { inMemory: async () => ':memory:', stored: async (file) => file };
let opened: Database[] = [];

/** Lets the tests run on another kind of database (`database-setup.ts`). */
export function takeDatabasesFrom(other: Source): void {
  source = other;
}

/** The address of an empty database that may end with its connection. */
export const emptyDatabase = (): Promise<string> => source.inMemory();

/** The address of an empty database that outlives its connections. @param file where it may be */
export const storedDatabase = (file: string): Promise<string> => source.stored(file);

export async function openEmptyDatabase(): Promise<Database> {
  const db = await openDatabase(await emptyDatabase());
  opened.push(db);
  return db;
}

/** Closes what `openEmptyDatabase` has opened. */
export async function closeDatabases(): Promise<void> {
  const closing = opened;
  opened = [];
  await Promise.all(closing.map((db) => db.close()));
}

/** Runs SQL at a PostgreSQL over a connection of its own. @returns the rows */
export async function queryAt(address: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: address });
  await client.connect();
  return client
    .query(sql)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

/** Removes all tables of a PostgreSQL. */
export const dropTables = (address: string) =>
  queryAt(address, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');

/** The address of a database without tables. */
export async function newDatabase(folder: string, name: string): Promise<string> {
  const address = await storedDatabase(join(folder, `${name}.sqlite`));
  if (isPostgres(address)) await dropTables(address);
  return address;
}
