import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, inject } from 'vitest';
import { noteTest } from '#tests/contract/support/backend.ts';
import { closeDatabases, queryAt, takeDatabasesFrom } from './databases.ts';

/** Empties every table there is, and counts orders from 1 again. Without triggers, neither references nor the log of the admin refuse that. */
const EMPTY = `SET session_replication_role = replica;
  DO $$ DECLARE name TEXT; BEGIN
    FOR name IN SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = current_schema() LOOP
      EXECUTE 'DELETE FROM ' || name || CASE name WHEN 'meta' THEN ' WHERE name NOT IN (''schema_version'', ''application'')' ELSE '' END;
    END LOOP;
  END $$;
  ALTER SEQUENCE IF EXISTS orders_number_seq RESTART`;

/** The PostgreSQL of the project api-postgres. In other projects it is undefined, and databases are in memory. */
const template = inject('template');

const inCluster = (database: string): string => new URL(`/${database}`, template).href;

/** The databases of this test file: those that earlier tests left free, and those that the current test uses. */
let left: string[] = [];
let used: string[] = [];

async function take(): Promise<string> {
  let address = left.pop();
  // Not earlier: the programs that a test started end after its `afterEach`, and would wait for each other's rows.
  if (address !== undefined) await queryAt(address, EMPTY);
  else {
    const name = `test_${randomUUID().replaceAll('-', '')}`;
    await queryAt(inCluster('postgres'), `CREATE DATABASE ${name}`);
    address = inCluster(name);
  }
  used.push(address);
  return address;
}

if (template) takeDatabasesFrom(take);
beforeEach(noteTest);

afterEach(async () => {
  await closeDatabases();
  left = [...left, ...used];
  used = [];
});
