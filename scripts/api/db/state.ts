import { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { isPostgres } from '#scripts/settings/settings.ts';
import { POSTGRES_MIGRATIONS, SQLITE_MIGRATIONS } from './migrations.ts';
import { hasDatabase } from './open-database.ts';
import { schemaVersion } from './postgres/schema-version.ts';

function sqliteVersion(file: string): number {
  const sqlite = new DatabaseSync(file, { readOnly: true });
  try {
    return v.parse(v.object({ user_version: v.number() }), sqlite.prepare('PRAGMA user_version').get())
      .user_version;
  } finally {
    sqlite.close();
  }
}

/** Whether there is a database, and whether this program fits it. Nothing is changed. @throws ExplainedError */
export async function databaseState(address: string): Promise<'none' | 'older' | 'current' | 'newer'> {
  if (!(await hasDatabase(address))) return 'none';
  const [version, mine] = isPostgres(address)
    ? [await schemaVersion(address), POSTGRES_MIGRATIONS.length]
    : [sqliteVersion(address), SQLITE_MIGRATIONS.length];
  if (version === mine) return 'current';
  return version < mine ? 'older' : 'newer';
}
