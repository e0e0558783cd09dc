import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { countTables } from '#scripts/api/db/postgres/schema-version.ts';
import { ExplainedError } from '#scripts/program/explained-error.ts';

const run = promisify(execFile);

/** Runs one of PostgreSQL's own programs. The password is not among its arguments, which every user of a computer can see. */
async function runClient(program: string, database: string, args: readonly string[]): Promise<void> {
  const address = new URL(database);
  const password = decodeURIComponent(address.password);
  address.password = '';
  const env = { ...process.env, ...(password === '' ? {} : { PGPASSWORD: password }) };
  try {
    await run(program, [`--dbname=${address.href}`, ...args], { env });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new ExplainedError(`${program} is not here. Install PostgreSQL's client programs.`);
    }
    const told = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    throw new ExplainedError(told);
  }
}

/** These tables are in no backup: what waits to be sent then may have been sent since, links open something, and secrets sign. */
export const NOT_IN_BACKUPS = ['letters', 'letter_links', 'secrets'] as const;

/** pg_dump reads everything in one transaction, as it was when it began. */
export const dumpPostgres = (database: string, file: string): Promise<void> =>
  runClient('pg_dump', database, [
    '--format=custom',
    '--no-owner',
    ...NOT_IN_BACKUPS.map((table) => `--exclude-table-data=*.${table}`),
    `--file=${file}`,
  ]);

/** All of it or nothing. @throws ExplainedError where the database has tables */
export async function restorePostgres(database: string, file: string): Promise<void> {
  if ((await countTables(database)) > 0) {
    throw new ExplainedError('The database is not empty. Restore into a new one.');
  }
  await runClient('pg_restore', database, ['--single-transaction', '--exit-on-error', '--no-owner', file]);
}
