import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { startApi } from '#server/app/start.ts';
import type { AtEnd } from '#tests/publish/support/temporary-folder.ts';
import { UNLIMITED } from '#tests/support/api.ts';
import { findPostgres } from '#tests/support/postgres-cluster.ts';
import { createShopClient } from '#tests/support/shop-client.ts';
import { NODE_ARGUMENTS, spawnApi } from '#tests/support/spawn-api.ts';
import { CATALOGUE } from './api.ts';

const run = promisify(execFile);

/** `npm run NAME -- …` on a database. Rejects with the exit code and what was printed. */
export const runCommand = (name: string, database: string, ...args: readonly string[]) =>
  run(process.execPath, [...NODE_ARGUMENTS, 'src/server/commands.ts', name, ...args], {
    env: { ...process.env, PATH: `${process.env.PATH}:${findPostgres() ?? ''}`, DATABASE: database },
  });

/**
 * Starts what `npm run api` starts, on a free port, until the end of the test, or `atEnd`. Resolves when it listens or has
 * ended.
 */
export async function startProcess(
  environment: Readonly<Record<string, string>>,
  atEnd: AtEnd = onTestFinished,
) {
  const api = spawnApi({ CATALOGUE, ...environment });
  atEnd(async () => {
    api.child.kill('SIGKILL');
    await api.exited;
  });
  return { ...api, url: await api.url };
}

/** Starts an API on a port, on a database that other programs read, too. It closes with the test, or before. */
export async function openShop(database: string) {
  const api = await startApi({ database, catalogue: CATALOGUE, ...UNLIMITED });
  let isOpen = true;
  const close = async () => {
    if (isOpen) await api.close();
    isOpen = false;
  };
  onTestFinished(close);
  return { ...createShopClient(api), api, db: api.db, close };
}
