import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import * as v from 'valibot';
import type { Database } from '#server/db/database.ts';
import { requireStorable } from '#server/db/errors.ts';
import { APPLICATION_ID, NEWEST_VERSION, rateLimits, sqliteMigrations } from '#server/db/migrations.ts';
import { readerOf, type Statements, transactionOf } from '#server/db/query.ts';
import { ExplainedError } from '#server/process/explained-error.ts';
import { deniedMessage } from '#server/process/permissions.ts';
import { createGroupCommit, withStorageErrors } from './group-commit.ts';

const OTHERS = 0o077;

/** Creates the file and its folder with access for their owner alone. Restricts an existing file in the same way. */
export function makePrivate(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
  // SQLite creates the files beside a database with its mode, but existing ones keep theirs.
  for (const name of [file, `${file}-wal`, `${file}-shm`].filter((each) => existsSync(each))) {
    const { mode, uid } = statSync(name);
    if ((mode & OTHERS) !== 0 && uid === process.getuid?.()) chmodSync(name, mode & ~OTHERS);
  }
}

const MEMORY = ':memory:';

/** SQLite needs no row locks, because a writing transaction locks the whole file. */
const ROW_LOCK = / for no key update(?: of "\w+")?$/i;

const NumbersSchema = v.pipe(
  v.record(v.string(), v.number()),
  v.transform((row) => Object.values(row)[0]),
);

const pragma = (sqlite: DatabaseSync, name: string) =>
  v.parse(NumbersSchema, sqlite.prepare(`PRAGMA ${name}`).get()) ?? 0;

/** Whether the file is a database of this shop. An empty one may become one. */
export const isMarked = (sqlite: DatabaseSync): boolean =>
  pragma(sqlite, 'application_id') === APPLICATION_ID ||
  sqlite.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;

/** 0 for a new file. */
export const versionOf = (sqlite: DatabaseSync): number => pragma(sqlite, 'user_version');

/** Writes nothing if the version is right, so that a full disk keeps no shop from starting. */
function migrate(sqlite: DatabaseSync): void {
  if (versionOf(sqlite) >= NEWEST_VERSION) return;
  sqlite.exec('BEGIN IMMEDIATE');
  try {
    const version = versionOf(sqlite);
    for (const sql of sqliteMigrations(version)) sqlite.exec(sql);
    sqlite.exec(`PRAGMA user_version = ${Math.max(version, NEWEST_VERSION)}`);
    sqlite.exec('COMMIT');
  } catch (error) {
    if (sqlite.isTransaction) sqlite.exec('ROLLBACK');
    throw error;
  }
}

/** Waits up to 5 s for the locks of another process, such as one that migrates. */
function connect(file: string): DatabaseSync {
  const sqlite = new DatabaseSync(file, { timeout: 5_000 });
  sqlite.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA secure_delete = ON',
  );
  return sqlite;
}

/** Prepares each statement once. */
function statementsOf(sqlite: DatabaseSync): Statements {
  // From now on only `group-commit.ts` waits for locks. A wait inside SQLite would block the whole process, reads too.
  sqlite.exec('PRAGMA busy_timeout = 0');
  const statements = new Map<string, StatementSync>();
  const prepared = (sql: string): StatementSync => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = sqlite.prepare(sql.replace(ROW_LOCK, ''));
    statements.set(sql, statement);
    return statement;
  };
  return {
    select: async (text, values) => withStorageErrors(() => prepared(text).all(...requireStorable(values))),
    change: async (text, values) =>
      Number(withStorageErrors(() => prepared(text).run(...requireStorable(values))).changes),
  };
}

/** Opens a temporary database, which SQLite keeps in memory as long as it is small, and deletes when it is closed. */
function openCounts(): DatabaseSync {
  const sqlite = new DatabaseSync('');
  sqlite.exec(`PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; CREATE ${rateLimits('TEXT')}`);
  return sqlite;
}

/** Creates or migrates the file. @throws ExplainedError if it may not be written */
function openWriter(file: string): DatabaseSync {
  try {
    if (file !== MEMORY) makePrivate(file);
    const writer = connect(file);
    migrate(writer);
    return writer;
  } catch (error) {
    const denied = deniedMessage(error, file);
    throw denied === undefined ? error : new ExplainedError(denied);
  }
}

/** Opens two connections, so that a read never sees uncommitted changes. @param file or `:memory:` */
export function openSqlite(file: string): Database {
  const writer = openWriter(file);
  // A second connection would not see a database in memory. Reads then share the writer, so they wait for its
  // writes.
  const reader = file === MEMORY ? writer : connect(file);
  const group = createGroupCommit(writer);
  const writes = statementsOf(writer);
  const reads = reader === writer ? writes : statementsOf(reader);
  const transaction = transactionOf(writes);
  const counts = openCounts();

  return {
    ...readerOf(async (text, values) => {
      if (reader === writer) await group.settled();
      return reads.select(text, values);
    }),
    write: (work) => group.write(() => work(transaction)),
    rateLimits: transactionOf(statementsOf(counts)),
    async close() {
      await group.close();
      if (reader !== writer) reader.close();
      writer.close();
      counts.close();
    },
  };
}
