import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import * as v from 'valibot';
import { createGroupCommit } from './group-commit.ts';
import { MIGRATIONS } from './migrations.ts';
import { translated } from './storage-error.ts';

type Row = v.GenericSchema<unknown, unknown>;

/** Reads and writes. Every row that is read passes a schema. */
export interface Database {
  readonly all: <S extends Row>(row: S, sql: string, ...values: SQLInputValue[]) => v.InferOutput<S>[];
  readonly get: <S extends Row>(
    row: S,
    sql: string,
    ...values: SQLInputValue[]
  ) => v.InferOutput<S> | undefined;
  /** Only inside `write`. Returns how many rows changed, and the number of the row that was inserted. */
  readonly run: (sql: string, ...values: SQLInputValue[]) => { changes: number; lastRowid: number };
  /**
   * Runs `work` in a transaction that it shares with the other writes of this tick, and resolves when its changes are on
   * the disk. An error of `work` undoes its own changes alone. @throws StorageError where nothing could be stored
   */
  readonly write: <T>(work: () => T) => Promise<T>;
  readonly close: () => void;
}

function migrate(sqlite: DatabaseSync): void {
  sqlite.exec('BEGIN IMMEDIATE');
  try {
    const { user_version: version } = v.parse(
      v.object({ user_version: v.number() }),
      sqlite.prepare('PRAGMA user_version').get(),
    );
    if (version > MIGRATIONS.length) {
      throw new Error(
        `The database has version ${version}; this program knows ${MIGRATIONS.length}. Update the program.`,
      );
    }
    for (const sql of MIGRATIONS.slice(version)) sqlite.exec(sql);
    sqlite.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
    sqlite.exec('COMMIT');
  } catch (error) {
    if (sqlite.isTransaction) sqlite.exec('ROLLBACK');
    throw error;
  }
}

/** Opens a database and applies the migrations that it lacks. @param file or `:memory:` */
export function openDatabase(file: string): Database {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  const sqlite = new DatabaseSync(file, { timeout: 5_000 });
  sqlite.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF',
  );
  migrate(sqlite);
  // From here on `group-commit.ts` waits for locks. Inside SQLite the wait would block the whole process, reads too.
  sqlite.exec('PRAGMA busy_timeout = 0');

  const statements = new Map<string, StatementSync>();
  const prepared = (sql: string): StatementSync => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = sqlite.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const group = createGroupCommit(sqlite);

  return {
    all: (row, sql, ...values) =>
      translated(() => prepared(sql).all(...values)).map((found) => v.parse(row, found)),
    get: (row, sql, ...values) => {
      const found = translated(() => prepared(sql).get(...values));
      return found === undefined ? undefined : v.parse(row, found);
    },
    run: (sql, ...values) => {
      const { changes, lastInsertRowid } = translated(() => prepared(sql).run(...values));
      return { changes: Number(changes), lastRowid: Number(lastInsertRowid) };
    },
    write: group.write,
    close: () => {
      group.close();
      sqlite.close();
    },
  };
}
