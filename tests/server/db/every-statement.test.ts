import { Client } from 'pg';
import { afterAll, expect, inject, test } from 'vitest';
import { readStatements } from '#tests/server/support/statements.ts';

/*
 * Most tests of the API run on SQLite alone, because their SQL is the same on both databases. Here PostgreSQL prepares
 * every statement that they have used, so that none is left that only SQLite can read.
 */

const client = new Client({ connectionString: inject('template') });
await client.connect();
afterAll(() => client.end());

/** Statements of tests: those that the change log must refuse, and queries of SQLite's schema. */
const OF_TESTS = /^(?:REPLACE INTO|TRUNCATE) admin_log|\bsqlite_schema\b/;

/** Returns why PostgreSQL refuses the statement; undefined if it does not. */
async function refusalOf(sql: string): Promise<string | undefined> {
  let count = 0;
  const numbered = sql.replaceAll('?', () => {
    count += 1;
    return `$${count}`;
  });
  try {
    await client.query(`PREPARE statement AS ${numbered}`);
    await client.query('DEALLOCATE statement');
    return undefined;
  } catch (error) {
    return `${sql}\n  ${String(error)}`;
  }
}

test('PostgreSQL prepares every statement that was used on SQLite', async () => {
  const statements = readStatements().filter((sql) => !OF_TESTS.test(sql));
  expect(statements, 'the project `api` runs before and records them').not.toEqual([]);
  const refusals: string[] = [];
  for (const sql of statements)
    refusals.push(...[await refusalOf(sql)].filter((refusal) => refusal !== undefined));
  expect(refusals).toEqual([]);
});
