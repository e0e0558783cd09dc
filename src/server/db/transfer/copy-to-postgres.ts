import { existsSync } from 'node:fs';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { Client, DatabaseError } from 'pg';
import * as v from 'valibot';
import { checkMark, checkVersion } from '#server/db/errors.ts';
import { SQLITE_MIGRATIONS } from '#server/db/migrations.ts';
import { migratePostgres } from '#server/db/postgres/migrate.ts';
import { columnOf } from '#server/db/query.ts';
import { isMarked } from '#server/db/sqlite/sqlite.ts';
import { isGenerated, TABLES } from '#server/db/tables.ts';
import { ExplainedError } from '#server/process/explained-error.ts';

/** An INSERT may have 65,535 values. Images are large, so the bytes of a batch are limited too. */
const MOST_VALUES = 10_000;

const MOST_BYTES = 4 * 1024 * 1024;

/** The totals to compare, in SQL that both databases understand. Units: paise. */
const TOTALS = `
  SELECT 'orders' AS what, CAST(coalesce(sum(total_paise), 0) AS TEXT) AS paise FROM orders
  UNION ALL SELECT 'items', CAST(coalesce(sum(quantity * unit_paise), 0) AS TEXT) FROM order_items
  UNION ALL SELECT 'payments ' || state, CAST(sum(amount_paise) AS TEXT) FROM payments GROUP BY state`;

const TotalsSchema = v.array(v.object({ what: v.string(), paise: v.string() }));

const CountSchema = v.tuple([
  v.object({ count: v.pipe(v.union([v.string(), v.number()]), v.transform(Number)) }),
]);

/** How many rows the migrations write into meta: the version, and the mark of this shop. */
const ROWS_OF_MIGRATIONS = 2;

/** Every table with the columns to copy. */
const COPIED = Object.entries(TABLES).map(([name, columns]) => ({
  name: columnOf(name),
  columns: Object.entries(columns).flatMap(([column, each]) => (isGenerated(each) ? [] : [columnOf(column)])),
}));

const IdentitiesSchema = v.array(v.object({ table: v.string(), column: v.string() }));

export interface Copied {
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
  readonly totals: readonly { readonly what: string; readonly paise: string }[];
}

const sizeOf = (value: SQLOutputValue): number =>
  typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;

/** Groups rows into batches that fit into one INSERT. */
function* batchesOf(rows: Iterable<Record<string, SQLOutputValue>>): Generator<SQLOutputValue[][]> {
  let batch: SQLOutputValue[][] = [];
  let [values, bytes] = [0, 0];
  for (const found of rows) {
    const row = Object.values(found);
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

async function copyTable(
  source: DatabaseSync,
  target: Client,
  { name, columns }: (typeof COPIED)[number],
): Promise<void> {
  const rows = source.prepare(`SELECT ${columns.join(', ')} FROM ${name}`);
  for (const batch of batchesOf(rows.iterate())) {
    const places = batch.map(
      (row, index) => `(${row.map((_, column) => `$${index * columns.length + column + 1}`).join(', ')})`,
    );
    await target.query(
      `INSERT INTO ${name} (${columns.join(', ')}) VALUES ${places.join(', ')}`,
      batch.flat(),
    );
  }
}

const countRows = async (target: Client, table: string): Promise<number> =>
  v.parse(CountSchema, (await target.query(`SELECT count(*) FROM ${table}`)).rows)[0].count;

/** Locks all tables and requires that they are empty, except for what the migrations wrote into meta. */
async function requireEmpty(target: Client): Promise<void> {
  await target.query(`LOCK TABLE ${COPIED.map(({ name }) => name).join(', ')} IN EXCLUSIVE MODE`);
  for (const { name } of COPIED) {
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
      `SELECT setval(pg_get_serial_sequence($1, $2), (SELECT max(${column}) FROM ${table}))`,
      [table, column],
    );
  }
}

const sortedTotals = (rows: unknown): Copied['totals'] =>
  v.parse(TotalsSchema, rows).sort((a, b) => (a.what < b.what ? -1 : 1));

/** Compares both databases. @throws ExplainedError that names the difference */
async function compare(source: DatabaseSync, target: Client): Promise<Copied> {
  const different = (what: string, here: string | number, there: string | number): never => {
    throw new ExplainedError(`${what}: ${here} in SQLite, ${there} in PostgreSQL. Nothing was copied.`);
  };
  const tables: { name: string; rows: number }[] = [];
  for (const { name } of COPIED) {
    const [{ count }] = v.parse(CountSchema, source.prepare(`SELECT count(*) AS count FROM ${name}`).all());
    const there = (await countRows(target, name)) - (name === 'meta' ? ROWS_OF_MIGRATIONS : 0);
    if (there !== count) different(`Rows of ${name}`, count, there);
    tables.push({ name, rows: count });
  }
  const totals = sortedTotals(source.prepare(TOTALS).all());
  const there = sortedTotals((await target.query(TOTALS)).rows);
  const text = (list: Copied['totals']) => list.map(({ what, paise }) => `${what} ${paise}`).join(', ');
  if (text(totals) !== text(there)) different('Paise', text(totals), text(there));
  return { tables, totals };
}

async function copyInTransaction(source: DatabaseSync, target: Client): Promise<Copied> {
  await target.query('BEGIN');
  await requireEmpty(target);
  for (const table of COPIED) await copyTable(source, target, table);
  await continueIdentities(target);
  const copied = await compare(source, target);
  await target.query('COMMIT');
  return copied;
}

/** Opens a file as of one moment, while others go on writing. @throws ExplainedError if it is no shop's, or another version's */
function openSource(file: string): DatabaseSync {
  if (!existsSync(file)) throw new ExplainedError(`There is no file ${file}.`);
  const sqlite = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    // The first read of a transaction fixes the moment that all later reads see.
    sqlite.exec('BEGIN');
    const version = Number(sqlite.prepare('PRAGMA user_version').get()?.user_version);
    checkMark(isMarked(sqlite), file);
    checkVersion(version, SQLITE_MIGRATIONS.length);
    if (version === SQLITE_MIGRATIONS.length) return sqlite;
    throw new ExplainedError(
      `${file} has version ${version}; this program needs ${SQLITE_MIGRATIONS.length}. Start the shop on it once, which brings it up to date.`,
    );
  } catch (error) {
    sqlite.close();
    if (error instanceof ExplainedError) throw error;
    throw new ExplainedError(
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/**
 * Copies a SQLite file, as of one moment, into a PostgreSQL without rows, and compares both before the commit. If
 * anything differs or fails, PostgreSQL stays empty. @throws ExplainedError
 */
export async function copyToPostgres(file: string, address: string): Promise<Copied> {
  const source = openSource(file);
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
