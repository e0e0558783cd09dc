import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { Client } from 'pg';
import * as v from 'valibot';
import { databaseState } from '#server/db/open-database.ts';
import { migratePostgres } from '#server/db/postgres/migrate.ts';
import { columnOf } from '#server/db/query.ts';
import { isGenerated, TABLES } from '#server/db/tables.ts';
import { ExplainedError } from '#server/process/explained-error.ts';

/** The rows of an INSERT. It may have 65,535 values, and pictures are large. */
const rowsAtOnce = (table: string): number => (table === 'pictures' ? 1 : 500);

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

interface Copied {
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
  readonly totals: v.InferOutput<typeof TotalsSchema>;
}

async function copyTable(
  source: DatabaseSync,
  target: Client,
  { name, columns }: (typeof COPIED)[number],
): Promise<void> {
  let rows: SQLOutputValue[][] = [];
  const insert = async () => {
    const places = rows.map(
      (row, index) => `(${row.map((_, column) => `$${index * columns.length + column + 1}`).join(', ')})`,
    );
    const text = `INSERT INTO ${name} (${columns.join(', ')}) VALUES ${places.join(', ')}`;
    if (rows.length > 0) await target.query(text, rows.flat());
    rows = [];
  };
  for (const row of source.prepare(`SELECT ${columns.join(', ')} FROM ${name}`).iterate()) {
    rows.push(Object.values(row));
    if (rows.length === rowsAtOnce(name)) await insert();
  }
  await insert();
}

/** Counts the rows without those that the migrations write. */
async function countRows(target: Client, table: string): Promise<number> {
  const [{ count }] = v.parse(CountSchema, (await target.query(`SELECT count(*) FROM ${table}`)).rows);
  return table === 'meta' ? count - ROWS_OF_MIGRATIONS : count;
}

/** Locks all tables and requires that they are empty. */
async function requireEmpty(target: Client): Promise<void> {
  await target.query(`LOCK TABLE ${COPIED.map(({ name }) => name).join(', ')} IN EXCLUSIVE MODE`);
  for (const { name } of COPIED)
    if ((await countRows(target, name)) > 0)
      throw new ExplainedError(`The database is not empty: ${name} has rows. Copy into a new one.`);
}

/** New rows get numbers after the highest that was copied. */
async function continueCounters(target: Client): Promise<void> {
  for (const [name, columns] of Object.entries(TABLES))
    for (const [column, { kind }] of Object.entries<{ kind: string }>(columns))
      if (kind === 'counter')
        await target.query(
          `SELECT setval(pg_get_serial_sequence('${columnOf(name)}', '${column}'), (SELECT max(${column}) FROM ${columnOf(name)}))`,
        );
}

const sortedTotals = (rows: unknown): Copied['totals'] =>
  v.parse(TotalsSchema, rows).sort((a, b) => (a.what < b.what ? -1 : 1));

/** Compares both databases. @throws ExplainedError that names the difference */
async function compare(source: DatabaseSync, target: Client): Promise<Copied> {
  const requireSame = (what: string, here: string | number, there: string | number): void => {
    if (here !== there)
      throw new ExplainedError(`${what}: ${here} in SQLite, ${there} in PostgreSQL. Nothing was copied.`);
  };
  const tables: { name: string; rows: number }[] = [];
  for (const { name } of COPIED) {
    const [{ count }] = v.parse(CountSchema, source.prepare(`SELECT count(*) AS count FROM ${name}`).all());
    requireSame(`Rows of ${name}`, count, await countRows(target, name));
    tables.push({ name, rows: count });
  }
  const totals = sortedTotals(source.prepare(TOTALS).all());
  const text = (list: Copied['totals']) => list.map(({ what, paise }) => `${what} ${paise}`).join(', ');
  requireSame('Paise', text(totals), text(sortedTotals((await target.query(TOTALS)).rows)));
  return { tables, totals };
}

/**
 * Copies a SQLite file, as of one moment, into a PostgreSQL without rows, and compares both before the commit. If
 * anything differs or fails, PostgreSQL stays empty, because the end of the connection rolls back. @throws ExplainedError
 */
export async function copyToPostgres(file: string, address: string): Promise<Copied> {
  const state = await databaseState(file);
  if (state === 'none') throw new ExplainedError(`There is no file ${file}.`);
  if (state !== 'current')
    throw new ExplainedError(
      `${file} is not a database of this version of the shop. Start this version on it once.`,
    );
  const target = new Client({ connectionString: address });
  // A broken connection fails the running statement anyway. Without a listener, the event would end the process.
  target.on('error', () => undefined);
  try {
    using source = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    // The first read of a transaction fixes the moment that all later reads see.
    source.exec('BEGIN');
    await migratePostgres(address);
    await target.connect();
    await target.query('BEGIN');
    await requireEmpty(target);
    for (const table of COPIED) await copyTable(source, target, table);
    await continueCounters(target);
    const copied = await compare(source, target);
    await target.query('COMMIT');
    return copied;
  } catch (error) {
    if (error instanceof ExplainedError) throw error;
    throw new ExplainedError(`Nothing was copied: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    await target.end();
  }
}
