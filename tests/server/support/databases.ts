import { join } from 'node:path';
import { Client } from 'pg';
import type { Database, Reader } from '#server/db/database.ts';
import { openDatabase } from '#server/db/open-database.ts';
import { compiled } from '#server/db/query.ts';
import { isPostgres } from '#server/settings/settings.ts';

/** Returns addresses of empty databases. */
export interface Source {
  readonly inMemory: () => Promise<string>;
  /** One that outlives its connections. @param file where it may be */
  readonly stored: (file: string) => Promise<string>;
}

let source: Source = { inMemory: async () => ':memory:', stored: async (file) => file };
let opened: Database[] = [];
let note: ((sql: string) => void) | undefined;

/** Lets the tests run on another kind of database (`postgres-setup.ts`). */
export function takeDatabasesFrom(other: Source): void {
  source = other;
}

/** Calls the listener with the text of every statement that is used from now on. */
export function noteStatements(listener: (sql: string) => void): void {
  note = listener;
}

const notedReader = ({ all, get, rows, row }: Reader, listener: (sql: string) => void): Reader => ({
  rows: (query, parsers) => {
    listener(compiled(query).sql);
    return rows(query, parsers);
  },
  row: (query, parsers) => {
    listener(compiled(query).sql);
    return row(query, parsers);
  },
  all: (row, sql, ...values) => {
    listener(sql);
    return all(row, sql, ...values);
  },
  get: (row, sql, ...values) => {
    listener(sql);
    return get(row, sql, ...values);
  },
});

const noted = (db: Database, listener: (sql: string) => void): Database => ({
  ...db,
  ...notedReader(db, listener),
  write: (work) =>
    db.write((transaction) =>
      work({
        ...notedReader(transaction, listener),
        run: (sql, ...values) => {
          listener(typeof sql === 'string' ? sql : compiled(sql).sql);
          return transaction.run(sql, ...values);
        },
      }),
    ),
});

/** The address of an empty database, which need not outlive its connection. */
export const emptyDatabase = (): Promise<string> => source.inMemory();

/** The address of an empty database that outlives its connections. @param file where it may be */
export const storedDatabase = (file: string): Promise<string> => source.stored(file);

export async function openEmptyDatabase(): Promise<Database> {
  const db = await openDatabase(await emptyDatabase());
  opened.push(db);
  return note ? noted(db, note) : db;
}

/** Closes what `openEmptyDatabase` has opened. */
export async function closeDatabases(): Promise<void> {
  const closing = opened;
  opened = [];
  await Promise.all(closing.map((db) => db.close()));
}

/** The address of a database without tables. */
export async function newDatabase(folder: string, name: string): Promise<string> {
  const address = await storedDatabase(join(folder, `${name}.sqlite`));
  if (isPostgres(address)) {
    const client = new Client({ connectionString: address });
    await client.connect();
    await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await client.end();
  }
  return address;
}
