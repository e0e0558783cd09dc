import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterEach, inject } from 'vitest';
import { closeDatabases, takeDatabasesFrom } from './databases.ts';

/** What each table refers to comes after it. The log of the office refuses to lose rows otherwise. */
const EMPTY = `ALTER TABLE office_log DISABLE TRIGGER USER; DELETE FROM office_log; ALTER TABLE office_log ENABLE TRIGGER USER;
  DELETE FROM office_forms; DELETE FROM staff; DELETE FROM payments; DELETE FROM order_keys; DELETE FROM order_items; DELETE FROM orders;
  DELETE FROM sessions; DELETE FROM users; DELETE FROM products; DELETE FROM pictures;
  DELETE FROM rate_limits; DELETE FROM imported_products; DELETE FROM imported_pictures;
  DELETE FROM meta WHERE name <> 'schema_version'`;

async function ask(address: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: address });
  await client.connect();
  await client.query(sql);
  await client.end();
}

const inCluster = (database: string): string => new URL(`/${database}`, inject('template')).href;

/** The file's own databases: those that are empty, and those that the test of the moment uses. */
let empty: string[] = [];
let used: string[] = [];

async function take(): Promise<string> {
  let address = empty.pop();
  if (address === undefined) {
    const name = `test_${randomUUID().replaceAll('-', '')}`;
    await ask(inCluster('postgres'), `CREATE DATABASE ${name}`);
    address = inCluster(name);
  }
  used.push(address);
  return address;
}

takeDatabasesFrom({ inMemory: take, stored: take });

afterEach(async () => {
  await closeDatabases();
  for (const address of used) await ask(address, EMPTY);
  empty = [...empty, ...used];
  used = [];
});
