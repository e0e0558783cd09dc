import { execFile } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { isPostgres } from '#scripts/api/db/open-database.ts';
import { MANGO } from '#tests/api/support/api.ts';
import { storedDatabase } from '#tests/api/support/databases.ts';
import { openShop } from '#tests/api/support/stored-shop.ts';
import { temporaryFolder } from '#tests/publish/support/temporary-folder.ts';
import { findPostgres } from '#tests/support/find-postgres.ts';

const run = promisify(execFile);

/** `npm run backup -- …` */
const command = (database: string, ...args: string[]) =>
  run(process.execPath, ['scripts/api/commands/backup.ts', ...args], {
    env: { ...process.env, PATH: `${process.env.PATH}:${findPostgres() ?? ''}`, DATABASE: database },
  });

/** The address of a database without tables. */
async function newDatabase(folder: string, name: string): Promise<string> {
  const address = await storedDatabase(join(folder, `${name}.sqlite`));
  if (isPostgres(address)) {
    const client = new Client({ connectionString: address });
    await client.connect();
    await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await client.end();
  }
  return address;
}

describe('npm run backup', () => {
  it('[fault 100, 127] under load: restored elsewhere it has every order from before it began, all whole, and none after a gap', async () => {
    const folder = temporaryFolder();
    const database = await newDatabase(folder, 'shop');
    const shop = await openShop(database);
    const shopper = await shop.newSignedIn();
    const placed: string[] = [];
    let isSelling = true;
    const selling = Array.from({ length: 4 }, async () => {
      while (isSelling) placed.push((await shop.order(shopper, { quantities: { [MANGO]: 2 } })).id);
    });
    await expect.poll(() => placed.length).toBeGreaterThan(50);
    const before = [...placed];
    const file = join(folder, 'backup');
    await command(database, file);
    const meanwhile = placed.length - before.length;
    isSelling = false;
    await Promise.all(selling);
    const all = (await shop.orders(shopper)).map(({ id }) => id);
    await shop.close();
    expect(meanwhile).toBeGreaterThan(0);

    const elsewhere = await newDatabase(folder, 'elsewhere');
    await command(elsewhere, '--restore', file);
    if (!isPostgres(elsewhere)) expect(statSync(elsewhere).mode & 0o077).toBe(0);
    const restored = await (await openShop(elsewhere)).orders(shopper);
    const ids = restored.map(({ id }) => id);
    expect(before.filter((id) => !ids.includes(id))).toEqual([]);
    // The newest come first: those that are missing are the newest.
    expect(ids).toEqual(all.slice(all.length - ids.length));
    expect(restored.filter(({ items }) => items[0]?.quantity !== 2)).toEqual([]);
  });

  it('[fault 127] writes a file that its owner alone can read, overwrites neither a file nor a database, and says so in a line', async () => {
    const folder = temporaryFolder();
    const database = await newDatabase(folder, 'shop');
    await (await openShop(database)).close();
    const file = join(folder, 'backup');
    await command(database, file);
    expect(statSync(file).mode & 0o077).toBe(0);
    await expect(command(database, file)).rejects.toMatchObject({
      code: 1,
      stderr: `There is already a file ${file}. Name a new one.\n`,
    });
    await expect(command(database, '--restore', file)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^(The database is not empty|There is already a file .*)\. Restore into a new one\.\n$/,
      ),
    });
  });

  it('takes nothing from a file that is no backup, and leaves no half of one', async () => {
    const folder = temporaryFolder();
    const database = await newDatabase(folder, 'shop');
    const file = join(folder, 'backup');
    writeFileSync(file, 'no backup');
    await expect(command(database, '--restore', file)).rejects.toMatchObject({ code: 1 });
    await expect(command(database, '--restore', join(folder, 'none'))).rejects.toMatchObject({
      stderr: `There is no file ${join(folder, 'none')}.\n`,
    });
    expect(['shop.sqlite', 'shop.sqlite.part'].filter((name) => existsSync(join(folder, name)))).toEqual([]);
    await (await openShop(database)).close();
  });
});
