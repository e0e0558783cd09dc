import * as v from 'valibot';
import type { Reader } from '#server/db/database.ts';

const ColumnRow = v.object({ table: v.string(), column: v.string() });

const SQLITE = `
  SELECT tables.name AS "table", columns.name AS "column"
    FROM sqlite_schema AS tables, pragma_table_xinfo(tables.name) AS columns
    WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite~_%' ESCAPE '~'`;

const POSTGRES = `
  SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
    WHERE table_schema = current_schema()`;

/** Counts for the limits, which SQLite has in memory. */
const NOT_IN_SQLITE = 'rate_limits';

/**
 * The tables with their columns, as the database reports them, so that no test lists them. Both kinds have the same.
 * Generated columns are among them.
 */
export async function storedTables(db: Reader): Promise<ReadonlyMap<string, readonly string[]>> {
  const isSqlite = await db.all(ColumnRow, POSTGRES).then(
    () => false,
    () => true,
  );
  const rows = await db.all(ColumnRow, isSqlite ? SQLITE : POSTGRES);
  const tables = Map.groupBy(
    rows.filter(({ table }) => table !== NOT_IN_SQLITE),
    ({ table }) => table,
  );
  return new Map(
    [...tables.keys()]
      .sort()
      .map((table) => [table, (tables.get(table) ?? []).map(({ column }) => column).sort()]),
  );
}
