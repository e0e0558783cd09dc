import type { SQLOutputValue } from 'node:sqlite';
import { Client, DatabaseError } from 'pg';
import * as v from 'valibot';
import { migratePostgres } from '#server/db/postgres/migrate.ts';
import { ExplainedError } from '#server/process/explained-error.ts';
import { openSqliteSource, type SourceTable, type SqliteSource } from './sqlite-source.ts';

/** An INSERT may have 65,535 values. Images are large, so the bytes of a batch are limited too. */
const MOST_VALUES = 10_000;

const MOST_BYTES = 4 * 1024 * 1024;

/** The totals to compare, in SQL that both databases understand. Units: paise. */
const TOTALS = `
  SELECT 'orders' AS what, CAST(coalesce(sum(total_paise), 0) AS TEXT) AS paise FROM orders
  UNION ALL SELECT 'items', CAST(coalesce(sum(quantity * unit_paise), 0) AS TEXT) FROM order_items
  UNION ALL SELECT 'payments ' || state, CAST(sum(amount_paise) AS TEXT) FROM payments GROUP BY state`;

const TotalsSchema = v.array(v.object({ what: v.string(), paise: v.string() }));

const CountSchema = v.tuple([v.object({ count: v.pipe(v.string(), v.transform(Number)) })]);

/** How many rows the migrations write into meta: the version, and the mark of this shop. */
const ROWS_OF_MIGRATIONS = 2;

const TablesSchema = v.array(v.object({ name: v.string() }));

const IdentitiesSchema = v.array(v.object({ table: v.string(), column: v.string() }));

export interface Copied {
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
  readonly totals: readonly { readonly what: string; readonly paise: string }[];
}

const quoted = (name: string): string => `"${name}"`;

const sizeOf = (value: SQLOutputValue): number =>
  typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;

/** Groups rows into batches that fit into one INSERT. */
function* batchesOf(rows: Iterable<SQLOutputValue[]>): Generator<SQLOutputValue[][]> {
  let batch: SQLOutputValue[][] = [];
  let [values, bytes] = [0, 0];
  for (const row of rows) {
    batch.push(row);
    values += row.length;
    bytes += row.reduce((sum: number, value) => sum + sizeOf(value), 0);
    if (values < MOST_VALUES && bytes < MOST_BYTES) continue;
    yield batch;
    batch = [];
    [values, bytes] = [0, 0];
  }
  if (batch.length > 0) yield batch;
}

async function copyTable(source: SqliteSource, target: Client, table: SourceTable): Promise<void> {
  const { name, columns } = table;
  for (const batch of batchesOf(source.rows(table))) {
    const places = batch.map(
      (row, index) => `(${row.map((_, column) => `$${index * columns.length + column + 1}`).join(', ')})`,
    );
    await target.query(
      `INSERT INTO ${quoted(name)} (${columns.map(quoted).join(', ')}) VALUES ${places.join(', ')}`,
      batch.flat(),
    );
  }
}

const countRows = async (target: Client, table: string): Promise<number> =>
  v.parse(CountSchema, (await target.query(`SELECT count(*) FROM ${quoted(table)}`)).rows)[0].count;

/** Locks all tables and requires that they are empty, except for what the migrations wrote into meta. */
async function requireEmpty(target: Client, source: SqliteSource): Promise<void> {
  const { rows } = await target.query(
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
  );
  const names = v.parse(TablesSchema, rows).map(({ name }) => name);
  const missing = source.tables.filter(({ name }) => !names.includes(name));
  if (missing.length > 0) {
    throw new ExplainedError(
      `PostgreSQL has no table for ${missing.map(({ name }) => name).join(', ')}. Nothing was copied.`,
    );
  }
  await target.query(`LOCK TABLE ${names.map(quoted).join(', ')} IN EXCLUSIVE MODE`);
  for (const name of names) {
    if ((await countRows(target, name)) > (name === 'meta' ? ROWS_OF_MIGRATIONS : 0)) {
      throw new ExplainedError(`The database is not empty: ${name} has rows. Copy into a new one.`);
    }
  }
}

/** New rows get numbers after the highest that was copied. */
async function continueIdentities(target: Client): Promise<void> {
  const { rows } = await target.query(
    `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
      WHERE table_schema = current_schema() AND is_identity = 'YES'`,
  );
  for (const { table, column } of v.parse(IdentitiesSchema, rows)) {
    await target.query(
      `SELECT setval(pg_get_serial_sequence($1, $2), (SELECT max(${quoted(column)}) FROM ${quoted(table)}))`,
      [quoted(table), column],
    );
  }
}

const sortedTotals = (rows: unknown): Copied['totals'] =>
  v.parse(TotalsSchema, rows).sort((a, b) => (a.what < b.what ? -1 : 1));

/** Compares both databases. @throws ExplainedError that names the difference */
async function compare(source: SqliteSource, target: Client): Promise<Copied> {
  const different = (what: string, here: string | number, there: string | number): never => {
    throw new ExplainedError(`${what}: ${here} in SQLite, ${there} in PostgreSQL. Nothing was copied.`);
  };
  const tables: { name: string; rows: number }[] = [];
  for (const { name } of source.tables) {
    const [{ count }] = v.parse(
      CountSchema,
      source.all(`SELECT CAST(count(*) AS TEXT) AS count FROM ${quoted(name)}`),
    );
    const there = (await countRows(target, name)) - (name === 'meta' ? ROWS_OF_MIGRATIONS : 0);
    if (there !== count) different(`Rows of ${name}`, count, there);
    tables.push({ name, rows: count });
  }
  const totals = sortedTotals(source.all(TOTALS));
  const there = sortedTotals((await target.query(TOTALS)).rows);
  const text = (list: Copied['totals']) => list.map(({ what, paise }) => `${what} ${paise}`).join(', ');
  if (text(totals) !== text(there)) different('Paise', text(totals), text(there));
  return { tables, totals };
}

async function copyInTransaction(source: SqliteSource, target: Client): Promise<Copied> {
  await target.query('BEGIN');
  await requireEmpty(target, source);
  for (const table of source.tables) await copyTable(source, target, table);
  await continueIdentities(target);
  const copied = await compare(source, target);
  await target.query('COMMIT');
  return copied;
}

/**
 * Copies a SQLite file, as of one moment, into a PostgreSQL without rows, and compares both before the commit. If
 * anything differs or fails, PostgreSQL stays empty. @throws ExplainedError
 */
export async function copyToPostgres(file: string, address: string): Promise<Copied> {
  const source = openSqliteSource(file);
  try {
    await migratePostgres(address);
    const target = new Client({ connectionString: address });
    let lost: Error | undefined;
    target.on('error', (error) => {
      lost = error;
    });
    await target.connect();
    try {
      return await copyInTransaction(source, target);
    } catch (error) {
      if (lost) {
        throw new ExplainedError(
          `The connection to PostgreSQL broke: ${lost.message}. Copy again: a copy is all of it or nothing.`,
        );
      }
      // Closing the connection rolls the transaction back.
      throw error instanceof DatabaseError
        ? new ExplainedError(`Nothing was copied: ${error.message}`)
        : error;
    } finally {
      await target.end();
    }
  } finally {
    source.close();
  }
}
