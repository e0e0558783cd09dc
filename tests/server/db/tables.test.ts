import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { TABLES } from '#server/db/tables.ts';
import { isPostgres } from '#server/settings/settings.ts';
import { emptyDatabase, openEmptyDatabase } from '#tests/server/support/databases.ts';

interface StoredColumn {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  /** 0 or 1 */
  readonly isNullable: number;
  readonly isFilled: number;
}

/** A column of a primary key has no NULL. INTEGER PRIMARY KEY counts the rows. */
const SQLITE = sql<StoredColumn>`
  SELECT tables.name AS "table", columns.name AS "column", columns.type,
      "notnull" = 0 AND pk = 0 AS "isNullable",
      dflt_value IS NOT NULL OR hidden <> 0 OR tables.sql LIKE '% ' || columns.name || ' INTEGER PRIMARY KEY%' AS "isFilled"
    FROM sqlite_schema AS tables, pragma_table_xinfo(tables.name) AS columns
    WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite~_%' ESCAPE '~'`;

const POSTGRES = sql<StoredColumn>`
  SELECT table_name AS "table", column_name AS "column", data_type AS type,
      CAST(is_nullable = 'YES' AS INTEGER) AS "isNullable",
      CAST(column_default IS NOT NULL OR is_generated = 'ALWAYS' OR is_identity = 'YES' AS INTEGER) AS "isFilled"
    FROM information_schema.columns WHERE table_schema = current_schema() AND table_name <> 'rate_limits'`;

const KINDS: Readonly<Record<string, string>> = {
  TEXT: 'text',
  text: 'text',
  INTEGER: 'whole',
  bigint: 'whole',
  BLOB: 'bytes',
  bytea: 'bytes',
};

const camelCase = (name: string): string => name.replaceAll(/_(.)/g, (_, letter) => letter.toUpperCase());

const line = (
  table: string,
  column: string,
  kind: string | undefined,
  isNullable: boolean,
  isFilled: boolean,
) => [`${table}.${column}`, kind, isNullable && 'nullable', isFilled && 'filled'].filter(Boolean).join(' ');

it('has the columns that the types of the query builder say', async () => {
  const db = await openEmptyDatabase();
  const stored = await db.rows(isPostgres(await emptyDatabase()) ? POSTGRES : SQLITE);
  const typed = Object.entries(TABLES).flatMap(([table, columns]) =>
    Object.entries(columns).map(([column, { kind, isNullable, isFilled }]) =>
      line(table, column, kind, isNullable, isFilled),
    ),
  );
  expect(
    stored
      .map(({ table, column, type, isNullable, isFilled }) =>
        line(
          camelCase(table),
          camelCase(column),
          KINDS[type.split(' ')[0] ?? ''],
          isNullable !== 0,
          isFilled !== 0,
        ),
      )
      .sort(),
  ).toEqual(typed.sort());
});
