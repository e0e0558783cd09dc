import { Client } from 'pg';
import * as v from 'valibot';
import { ExplainedError } from '#scripts/program/explained-error.ts';

const TablesSchema = v.tuple([v.object({ tables: v.pipe(v.string(), v.transform(Number)) })]);

/** How many tables a database has. @throws ExplainedError where it cannot be reached */
export async function countTables(database: string): Promise<number> {
  const client = new Client({ connectionString: database, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    const { rows } = await client.query(
      'SELECT count(*) AS tables FROM pg_tables WHERE schemaname = current_schema()',
    );
    return v.parse(TablesSchema, rows)[0].tables;
  } catch (error) {
    throw new ExplainedError(
      `The database cannot be reached: ${error instanceof Error ? error.message : String(error)}`,
    );
  } finally {
    await client.end();
  }
}
