import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { type Cluster, startCluster } from '#tests/support/postgres-cluster.ts';

/** The database of the API processes. */
export interface Storage {
  readonly address: string;
  /** Undefined for SQLite, which runs in the API's process. */
  readonly server?: Pick<Cluster, 'crash' | 'start'>;
  /** The number of errors that the database finds in its own files. */
  readonly countErrors: () => Promise<number>;
  readonly remove: () => Promise<void>;
}

async function openSqlite(): Promise<Storage> {
  const folder = mkdtempSync(join(tmpdir(), 'torture-'));
  const address = join(folder, 'shop.sqlite');
  return {
    address,
    async countErrors() {
      const sqlite = new DatabaseSync(address, { readOnly: true });
      const rows = (pragma: string) => sqlite.prepare(`PRAGMA ${pragma}`).all().length;
      // A file without errors is one row that says so.
      const errors = rows('integrity_check') - 1 + rows('foreign_key_check');
      sqlite.close();
      return errors;
    },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function openPostgres(): Promise<Storage> {
  const cluster = await startCluster();
  const address = cluster.address('postgres');
  return {
    address,
    server: cluster,
    async countErrors() {
      const args = ['--install-missing', '--heapallindexed', address];
      // It exits with 2 if it finds errors, one per line.
      const check = promisify(execFile)(join(cluster.programs, 'pg_amcheck'), args);
      const text = await check.then(
        ({ stdout }) => stdout,
        (error: unknown) =>
          error instanceof Error && 'stdout' in error && error.stdout ? String(error.stdout) : String(error),
      );
      return text.split('\n').filter((line) => line.trim() !== '').length;
    },
    remove: cluster.stop,
  };
}

export const STORAGES = { sqlite: openSqlite, postgres: openPostgres };
