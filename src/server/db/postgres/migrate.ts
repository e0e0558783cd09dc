import { Client, DatabaseError } from 'pg';
import * as v from 'valibot';
import { postgresError, StorageError, UnreachableDatabase } from '#server/db/errors.ts';
import { APPLICATION, NEWEST_VERSION, postgresMigrations } from '#server/db/migrations.ts';
import { ExplainedError } from '#server/process/explained-error.ts';

/** @throws UnreachableDatabase, or ExplainedError for wrong settings */
async function connect(address: string): Promise<Client> {
  const client = new Client({ connectionString: address, connectionTimeoutMillis: 5_000 });
  // A broken connection fails the running statement anyway. Without a listener, the event would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    const reason = error instanceof Error ? error.message || error.name : String(error);
    // At the start, a wrong user, password or name is in the settings.
    const isWrong = error instanceof DatabaseError && /^(?:28|3D)/.test(error.code ?? '');
    const isAway = !isWrong && postgresError(error) instanceof StorageError;
    const Kind = isAway ? UnreachableDatabase : ExplainedError;
    throw new Kind(`The database cannot be reached: ${reason}`);
  }
}

const MetaSchema = v.array(v.object({ name: v.string(), value: v.string() }));

/** Returns its version. @throws ExplainedError if the database cannot be reached */
export async function postgresVersion(address: string): Promise<number | 'none' | 'foreign'> {
  const client = await connect(address);
  try {
    const tables = 'SELECT tablename FROM pg_tables WHERE schemaname = current_schema()';
    const { rows } = await client.query({ text: tables, rowMode: 'array' });
    const names = v.parse(v.array(v.tuple([v.string()])), rows).flat();
    if (!names.includes('meta')) return names.length === 0 ? 'none' : 'foreign';
    const meta = v.parse(MetaSchema, (await client.query('SELECT name, value FROM meta')).rows);
    const stored = (name: string) => meta.find((row) => row.name === name)?.value;
    return stored(APPLICATION) === undefined ? 'foreign' : Number(stored('schema_version'));
  } finally {
    await client.end();
  }
}

const VersionRowSchema = v.object({ value: v.pipe(v.string(), v.transform(Number)) });

/** unique_violation, duplicate_table: two processes created the table at the same moment. */
const CREATED_TWICE = new Set(['23505', '42P07']);

/** The row of the version is the lock: a second process waits for the first. */
async function migrate(client: Client): Promise<void> {
  await client.query('BEGIN');
  await client.query(
    'CREATE TABLE IF NOT EXISTS meta (name TEXT COLLATE "C" PRIMARY KEY, value TEXT NOT NULL)',
  );
  await client.query(
    "INSERT INTO meta (name, value) VALUES ('schema_version', '0') ON CONFLICT (name) DO NOTHING",
  );
  const { rows } = await client.query("SELECT value FROM meta WHERE name = 'schema_version' FOR UPDATE");
  const { value: version } = v.parse(VersionRowSchema, rows[0]);
  for (const sql of postgresMigrations(version)) await client.query(sql);
  const migrated = String(Math.max(version, NEWEST_VERSION));
  await client.query("UPDATE meta SET value = $1 WHERE name = 'schema_version'", [migrated]);
  await client.query('COMMIT');
}

/**
 * Applies missing migrations. They may take long, so there are no time limits as in the pool.
 * @throws UnreachableDatabase, or StorageError if the connection breaks
 */
export async function migratePostgres(address: string): Promise<void> {
  const client = await connect(address);
  try {
    await migrate(client).catch(async (error: unknown) => {
      if (!(error instanceof DatabaseError && CREATED_TWICE.has(error.code ?? ''))) throw error;
      await client.query('ROLLBACK');
      await migrate(client);
    });
  } catch (error) {
    throw postgresError(error);
  } finally {
    await client.end();
  }
}
