import { existsSync } from 'node:fs';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import * as v from 'valibot';
import { checkMark, checkVersion } from '#server/db/errors.ts';
import { SQLITE_MIGRATIONS } from '#server/db/migrations.ts';
import { isMarked } from '#server/db/sqlite/sqlite.ts';
import { ExplainedError } from '#server/process/explained-error.ts';

const NamesSchema = v.array(v.object({ name: v.string() }));

const ReferencesSchema = v.array(v.object({ table: v.string() }));

const VersionSchema = v.object({ user_version: v.number() });

export interface SourceTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** A SQLite file as of one moment, read row by row while others go on writing. */
export interface SqliteSource {
  /** A table comes after those that it references. */
  readonly tables: readonly SourceTable[];
  readonly rows: (table: SourceTable) => Iterable<SQLOutputValue[]>;
  readonly all: (sql: string) => unknown[];
  readonly close: () => void;
}

function requireVersion(sqlite: DatabaseSync, file: string): void {
  const { user_version: version } = v.parse(VersionSchema, sqlite.prepare('PRAGMA user_version').get());
  checkMark(isMarked(sqlite), file);
  checkVersion(version, SQLITE_MIGRATIONS.length);
  if (version < SQLITE_MIGRATIONS.length) {
    throw new ExplainedError(
      `${file} has version ${version}; this program needs ${SQLITE_MIGRATIONS.length}. Start the shop on it once, which brings it up to date.`,
    );
  }
}

/** Reads the tables from the file, so a new one needs no change here. */
function tablesOf(sqlite: DatabaseSync): SourceTable[] {
  const columnsOf = (name: string): string[] =>
    v
      .parse(NamesSchema, sqlite.prepare('SELECT name FROM pragma_table_info(?)').all(name))
      .map((column) => column.name);
  const referencedBy = (name: string): string[] =>
    v
      .parse(ReferencesSchema, sqlite.prepare('SELECT "table" FROM pragma_foreign_key_list(?)').all(name))
      .map(({ table }) => table);
  const names = v.parse(
    NamesSchema,
    sqlite
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'")
      .all(),
  );
  const ordered = new Set<string>();
  const visited = new Set<string>();
  const add = (name: string): void => {
    if (visited.has(name)) return;
    visited.add(name);
    for (const other of referencedBy(name)) add(other);
    ordered.add(name);
  };
  for (const { name } of names) add(name);
  return [...ordered].map((name) => ({ name, columns: columnsOf(name) }));
}

/** @throws ExplainedError if the file is missing, not a shop's, or of another version */
export function openSqliteSource(file: string): SqliteSource {
  if (!existsSync(file)) throw new ExplainedError(`There is no file ${file}.`);
  const sqlite = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    // The first read of a transaction fixes the moment that all later reads see.
    sqlite.exec('BEGIN');
    requireVersion(sqlite, file);
    return {
      tables: tablesOf(sqlite),
      *rows({ name, columns }) {
        for (const row of sqlite.prepare(`SELECT * FROM "${name}"`).iterate()) {
          yield columns.map((column) => row[column] ?? null);
        }
      },
      all: (sql) => sqlite.prepare(sql).all(),
      close: () => sqlite.close(),
    };
  } catch (error) {
    sqlite.close();
    if (error instanceof ExplainedError) throw error;
    throw new ExplainedError(
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
