import { join } from 'node:path';
import { Client } from 'pg';
import type { Database } from '#server/db/database.ts';
import { openDatabase } from '#server/db/open-database.ts';
import { migratePostgres } from '#server/db/postgres/migrate.ts';
import { isPostgres } from '#server/settings/settings.ts';

/** Returns the address of an empty database. @param file where it may be, to outlive its connections */
let source = async (file = ':memory:'): Promise<string> => file;
let opened: Database[] = [];

/** Lets the tests run on another kind of database (`database-setup.ts`). */
export function takeDatabasesFrom(other: typeof source): void {
  source = other;
}

/** The address of an empty database that may end with its connection. */
export const emptyDatabase = (): Promise<string> => source();

/** The address of an empty database that outlives its connections. @param file where it may be */
export const storedDatabase = (file: string): Promise<string> => source(file);

/** Opens a database until the end of the test. */
export async function openUntilEnd(address: string): Promise<Database> {
  const db = await openDatabase(address);
  opened.push(db);
  return db;
}

export const openEmptyDatabase = async (): Promise<Database> => openUntilEnd(await emptyDatabase());

/** Closes what `openUntilEnd` has opened. */
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

/** Makes the tables of a PostgreSQL again, for a test that needs new ones or has changed them. */
export async function renewTables(address: string): Promise<void> {
  await dropTables(address);
  await migratePostgres(address);
}

/** The address of a database without tables. */
export async function newDatabase(folder: string, name: string): Promise<string> {
  const address = await storedDatabase(join(folder, `${name}.sqlite`));
  if (isPostgres(address)) await dropTables(address);
  return address;
}
