import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { Client } from 'pg';
import * as v from 'valibot';
import { APPLICATION } from '#server/db/migrations.ts';
import { databaseState } from '#server/db/open-database.ts';
import { migratePostgres } from '#server/db/postgres/migrate.ts';
import { columnOf } from '#server/db/query.ts';
import { COMPUTED, type Column, TABLES } from '#server/db/tables.ts';
import { ExplainedError } from '#server/process/explained-error.ts';

/** The number of rows in an INSERT, which may have 65,535 values. Pictures are large. */
const rowsAtOnce = (table: string): number => (table === 'pictures' ? 1 : 500);

/** Every table with the columns to copy. */
const COPIED = Object.entries(TABLES).map(([name, columns]) => ({
  name: columnOf(name),
  // The database computes the others itself.
  columns: Object.entries<Column<unknown>>(columns)
    .filter(([, { constraints }]) => !constraints.includes(COMPUTED))
    .map(([column]) => columnOf(column)),
}));

/** What is compared, in SQL that both databases understand. The migrations write two rows of meta into PostgreSQL. */
const FIGURES = [
  ...COPIED.map(
    ({ name }) => `
      SELECT '${name}' AS what, 'rows' AS unit, CAST(count(*) AS TEXT) AS amount FROM ${name}
      ${name === 'meta' ? `WHERE name NOT IN ('schema_version', '${APPLICATION}')` : ''}`,
  ),
  "SELECT 'orders', 'paise', CAST(coalesce(sum(total_paise), 0) AS TEXT) FROM orders",
  "SELECT 'items', 'paise', CAST(coalesce(sum(quantity * unit_paise), 0) AS TEXT) FROM order_items",
  "SELECT 'stock', 'pieces', CAST(coalesce(sum(pieces), 0) AS TEXT) FROM stock",
  `SELECT 'movements ' || direction || ' ' || kind || ' ' || state, 'paise', CAST(sum(paise) AS TEXT) FROM movements
    GROUP BY direction, kind, state`,
  "SELECT 'adjustments ' || kind, 'paise', CAST(sum(paise) AS TEXT) FROM adjustments GROUP BY kind",
  "SELECT 'orders ' || money, 'paise', CAST(sum(held_paise) AS TEXT) FROM orders GROUP BY money",
].join(' UNION ALL ');

const FiguresSchema = v.array(
  v.object({ what: v.string(), unit: v.picklist(['rows', 'paise', 'pieces']), amount: v.string() }),
);

type Figures = v.InferOutput<typeof FiguresSchema>;

const figuresOf = async (target: Client): Promise<Figures> =>
  v.parse(FiguresSchema, (await target.query(FIGURES)).rows);

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

/** Locks all tables and requires that they are empty. */
async function requireEmpty(target: Client): Promise<void> {
  await target.query(`LOCK TABLE ${COPIED.map(({ name }) => name).join(', ')} IN EXCLUSIVE MODE`);
  const filled = (await figuresOf(target)).find(({ unit, amount }) => unit === 'rows' && amount !== '0');
  if (filled)
    throw new ExplainedError(`The database is not empty: ${filled.what} has rows. Copy into a new one.`);
}

/** New rows get numbers after the last that SQLite gave, which may be behind a gap. */
async function continueCounters(source: DatabaseSync, target: Client): Promise<void> {
  for (const [name, columns] of Object.entries(TABLES))
    for (const [column, { kind }] of Object.entries<{ kind: string }>(columns)) {
      const table = columnOf(name);
      const last = source.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(table)?.seq;
      if (kind === 'counter' && last !== undefined)
        await target.query(`SELECT setval(pg_get_serial_sequence('${table}', '${column}'), $1)`, [last]);
    }
}

/** Returns the figures, which are equal in both databases. @throws ExplainedError that names the difference */
async function compare(source: DatabaseSync, target: Client): Promise<Figures> {
  const keyOf = ({ what, unit }: Figures[number]) => `${what} (${unit})`;
  const copied = new Map((await figuresOf(target)).map((figure) => [keyOf(figure), figure.amount]));
  const figures = v.parse(FiguresSchema, source.prepare(FIGURES).all());
  for (const figure of figures) {
    const [key, here] = [keyOf(figure), figure.amount];
    const there = copied.get(key) ?? '0';
    if (here !== there)
      throw new ExplainedError(`${key}: ${here} in SQLite, ${there} in PostgreSQL. Nothing was copied.`);
  }
  return figures;
}

/**
 * Copies a snapshot of a SQLite file into a PostgreSQL without rows, and compares both before the commit. If
 * anything differs or fails, PostgreSQL stays empty, because the end of the connection rolls back. @throws ExplainedError
 */
export async function copyToPostgres(file: string, address: string): Promise<Figures> {
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
    // All reads of the transaction see the state at the first one.
    source.exec('BEGIN');
    await migratePostgres(address);
    await target.connect();
    await target.query('BEGIN');
    await requireEmpty(target);
    for (const table of COPIED) await copyTable(source, target, table);
    await continueCounters(source, target);
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
