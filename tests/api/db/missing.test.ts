import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isPostgres } from '#scripts/api/db/open-database.ts';
import { countTables } from '#scripts/api/db/postgres/schema-version.ts';
import { newDatabase } from '#tests/api/support/new-database.ts';
import { temporaryFolder } from '#tests/publish/support/temporary-folder.ts';

const run = (database: string, command: string, args: readonly string[]) =>
  new Promise<{ code: unknown; told: string }>((resolve) =>
    execFile(
      process.execPath,
      [`scripts/api/commands/${command}.ts`, ...args],
      { env: { ...process.env, DATABASE: database } },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, told: stdout + stderr }),
    ),
  );

test.each([
  ['backup', 'FOLDER/backup'],
  ['catalogue'],
  ['catalogue', 'export', 'FOLDER/catalogue'],
  ['customers', 'sign-out', 'somebody@shop.example'],
  ['orders', 'list'],
  ['staff', 'list'],
  ['staff', 'add', 'somebody@shop.example', '--role', 'owner'],
])('npm run %s refuses where there is no database, and makes none', async (command, ...args) => {
  const folder = temporaryFolder();
  const database = await newDatabase(folder, 'none');
  const { code, told } = await run(
    database,
    command,
    args.map((word) => word.replace('FOLDER', folder)),
  );
  expect([code, told]).toEqual([1, expect.stringContaining('There is no database of a shop at')]);
  expect(told).not.toContain('    at ');
  if (isPostgres(database)) expect(await countTables(database)).toBe(0);
  else expect(readdirSync(folder)).toEqual([]);
});
