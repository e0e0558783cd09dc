import { Client } from 'pg';
import * as v from 'valibot';
import { ExplainedError } from '#scripts/program/explained-error.ts';

/** Asks one question on a connection of its own. @throws ExplainedError where the database cannot be reached */
async function ask(database: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: database, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } catch (error) {
    throw new ExplainedError(
      `The database cannot be reached: ${error instanceof Error ? error.message : String(error)}`,
    );
  } finally {
    await client.end();
  }
}

const NumberSchema = v.tuple([v.object({ number: v.pipe(v.string(), v.transform(Number)) })]);

const numberOf = (rows: unknown[]): number => v.parse(NumberSchema, rows)[0].number;

/** How many tables a database has. @throws ExplainedError where it cannot be reached */
export const countTables = async (database: string): Promise<number> =>
  numberOf(
    await ask(database, 'SELECT count(*) AS number FROM pg_tables WHERE schemaname = current_schema()'),
  );

/** Which migrations a database has. @throws ExplainedError where it cannot be reached */
export const schemaVersion = async (database: string): Promise<number> =>
  numberOf(await ask(database, "SELECT value AS number FROM meta WHERE name = 'schema_version'"));
