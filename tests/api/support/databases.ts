import type { Database } from '#scripts/api/db/database.ts';
import { openDatabase } from '#scripts/api/db/open-database.ts';

/** Gives the addresses of empty databases. */
export interface Source {
  readonly inMemory: () => Promise<string>;
  /** One that outlives its connections. @param file where it may be */
  readonly stored: (file: string) => Promise<string>;
}

let source: Source = { inMemory: async () => ':memory:', stored: async (file) => file };
let opened: Database[] = [];

/** Lets the tests run on another kind of database (`postgres-setup.ts`). */
export function takeDatabasesFrom(other: Source): void {
  source = other;
}

/** The address of an empty database, which need not outlive its connection. */
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
