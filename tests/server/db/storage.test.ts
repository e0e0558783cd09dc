import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it, test, vi } from 'vitest';
import type { Database, Reader, Transaction } from '#server/db/database.ts';
import { StorageError } from '#server/db/errors.ts';
import {
  NEWEST_VERSION,
  postgresMigrations,
  sqliteMigrations,
  UNRELEASED_VERSION,
} from '#server/db/migrations.ts';
import { databaseState, openDatabase } from '#server/db/open-database.ts';
import { isPostgres } from '#server/settings/settings.ts';
import { temporaryFolder } from '#tests/publish/support/temporary-folder.ts';
import { ADDRESS, MANGO, testApi } from '#tests/server/support/api.ts';
import { newDatabase, openUntilEnd } from '#tests/server/support/databases.ts';
import { countRows, firstValue, runSql } from '#tests/server/support/rows.ts';
import { runCommand } from '#tests/server/support/running-api.ts';

let folder = '';
let file = '';

beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'data', 'shop.sqlite');
});

const open = () => openUntilEnd(file);

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

const put = (transaction: Transaction, name: string) =>
  runSql(transaction, "INSERT INTO meta VALUES (?, 'x')", name);
const store = (db: Database, name: string) => db.write((transaction) => put(transaction, name));
const metaRows = (db: Reader) => countRows(db, "meta WHERE value = 'x'");

describe('the database', () => {
  it('[bar] makes its folder, and is durable: WAL, synchronous FULL, foreign keys', async () => {
    const db = await open();
    const names = ['journal_mode', 'synchronous', 'foreign_keys', 'user_version'];
    const set = await db.write(async (transaction) => {
      const found: unknown[] = [];
      for (const name of names) found.push(await firstValue(transaction, `PRAGMA ${name}`));
      return found;
    });
    expect(set).toEqual(['wal', 2, 1, NEWEST_VERSION]);
  });

  it('its file, what SQLite keeps beside it and the folder made for it are the owner’s alone', async () => {
    const rightsOfOthers = () =>
      [dirname(file), ...readdirSync(dirname(file)).map((name) => join(dirname(file), name))].map(
        (name) => statSync(name).mode & 0o077,
      );
    const db = await open();
    await store(db, 'a');
    expect(rightsOfOthers()).toEqual([0, 0, 0, 0]);
    // Looser rights, as another program may set them.
    for (const name of ['shop.sqlite', 'shop.sqlite-wal', 'shop.sqlite-shm'])
      chmodSync(join(dirname(file), name), 0o644);
    await open();
    expect(rightsOfOthers()).toEqual([0, 0, 0, 0]);
  });

  it('the first migration is the released one', () => {
    // It is made from TABLES. Until the first release, write its new hash here. Afterwards, a column that a later
    // migration adds must be left out of it: shops that exist would otherwise lack the column.
    const released = createHash('sha256').update(`${sqliteMigrations(0)[0]}${postgresMigrations(0)[0]}`);
    expect(released.digest('hex').slice(0, 16)).toBe('8dbacc56f1850acd');
  });

  it.each([
    [999, /version 999/, 'newer'],
    [
      UNRELEASED_VERSION,
      'The database was made by a version before the release: delete .data.',
      'unreleased',
    ],
  ])('refuses a database of version %i, and leaves it', async (version, message, state) => {
    await (await openDatabase(file)).close();
    const other = new DatabaseSync(file);
    other.exec(`PRAGMA user_version = ${version}`);
    other.close();
    await expect(openDatabase(file)).rejects.toThrow(message);
    expect(await databaseState(file)).toBe(state);
  });

  it('refuses a database of another program, names the file to move away, and changes nothing of it', async () => {
    mkdirSync(dirname(file), { recursive: true });
    const other = new DatabaseSync(file);
    other.exec('CREATE TABLE notes (text TEXT)');
    other.close();
    const bytes = readFileSync(file);
    await expect(openDatabase(file)).rejects.toThrow(
      `'${file}' is not a database of this shop: move it away, and the API creates a new one at its start.`,
    );
    expect(await databaseState(file)).toBe('foreign');
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  it('commits the writes of a tick together, and answers after the commit', async () => {
    const db = await open();
    const outside = new DatabaseSync(file);
    const seen = () => outside.prepare('SELECT count(*) AS count FROM meta').get()?.count;
    const counts: unknown[] = [];
    await Promise.all(['a', 'b', 'c'].map((name) => store(db, name).then(() => counts.push(seen()))));
    expect(counts).toEqual([3, 3, 3]);
    outside.close();
  });

  it('an error in one write rolls back that write alone', async () => {
    const db = await openUntilEnd(':memory:');
    const results = await Promise.allSettled([
      store(db, 'a'),
      db.write(async (transaction) => {
        await put(transaction, 'b');
        throw new Error('changed my mind');
      }),
      store(db, 'a'),
      store(db, 'c'),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(await metaRows(db)).toBe(2);
  });

  it.each([
    ['a file', () => file],
    ['memory', () => ':memory:'],
  ])('in %s, a read between the steps of a write sees none of its changes', async (_name, address) => {
    const db = await openUntilEnd(address());
    const seen: unknown[] = [];
    const look = async () => seen.push(await metaRows(db));
    let looking: Promise<unknown> = Promise.resolve();
    const failed = db.write(async (transaction) => {
      await put(transaction, 'a');
      looking = look();
      for (let step = 0; step < 10; step += 1) await metaRows(transaction);
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    await looking;
    expect(seen).toEqual([0]);
  });

  it('a write that awaits something else does not share its transaction', async () => {
    const db = await open();
    const slow = db.write(async (transaction) => {
      await put(transaction, 'a');
      await nextTick();
      await nextTick();
    });
    await nextTick();
    await Promise.all([slow, store(db, 'b')]);
    expect(await metaRows(db)).toBe(2);
  });

  it('finishes pending writes when it closes, and refuses later ones', async () => {
    const db = await openDatabase(file);
    const waiting = store(db, 'a');
    const closed = db.close();
    await waiting;
    await closed;
    await expect(store(db, 'b')).rejects.toBeInstanceOf(StorageError);
    const again = await open();
    expect(await metaRows(again)).toBe(1);
  });
});

describe('storage that fails', () => {
  /** A shop, and the connection to the file over which it writes. */
  async function shop() {
    const db = await open();
    const api = await testApi({ db });
    const exec = vi.spyOn(DatabaseSync.prototype, 'exec');
    const { token } = await api.customer();
    const writer = exec.mock.contexts.at(-1);
    exec.mockRestore();
    if (!(writer instanceof DatabaseSync)) throw new Error('Nothing was written.');
    return { ...api, writer, token, order: () => api.order(token, { [MANGO]: 1 }) };
  }

  it('a lock held for seconds is a 503 with Retry-After; reads go on; then it recovers', async () => {
    const { order, ask, token } = await shop();
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    const waiting = order();
    expect((await ask('/orders', { token })).status).toBe(200);
    expect((await ask('/products')).status).toBe(200);
    const refused = await waiting;
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    other.exec('COMMIT');
    other.close();
    expect((await order()).status).toBe(201);
    expect((await ask('/orders', { token })).json).toMatchObject({ data: [{ total: 899 }] });
  });

  it('a failed commit rejects all its writes, and the next one works', async () => {
    const db = await open();
    const orphan = "INSERT INTO email_changes VALUES ('nobody', 't', 0, 0, 0)";
    const results = await Promise.allSettled([
      store(db, 'a'),
      db.write(async (transaction) => {
        await runSql(transaction, 'PRAGMA defer_foreign_keys = ON');
        await runSql(transaction, orphan);
      }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await store(db, 'b');
    expect(await metaRows(db)).toBe(1);
  });

  /** Lets these statements fail until they are taken out of the set. */
  function failAt(...statements: string[]): Set<string> {
    const failing = new Set(statements);
    const { exec } = DatabaseSync.prototype;
    vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
      // SQLITE_IOERR_FSYNC, as node:sqlite throws it.
      if (failing.has(sql))
        throw Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 1_034 });
      exec.call(this, sql);
    });
    return failing;
  }

  it('an fsync that fails at the commit is a 503, never a 201; reads go on; then it recovers', async () => {
    const { order, ask, token } = await shop();
    const failing = failAt('COMMIT');
    const refused = await order();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(refused.json).toEqual({ error: 'The service is busy. Please try again in a moment.' });
    expect((await ask('/orders', { token })).json).toEqual({ data: [] });
    expect((await ask('/products')).status).toBe(200);
    failing.clear();
    expect((await order()).status).toBe(201);
    expect((await ask('/orders', { token })).json).toMatchObject({ data: [{ total: 899 }] });
  });

  it('a failed commit that cannot be undone at once is a 503 as well; it is undone before the next', async () => {
    const { order, ask, token, db } = await shop();
    const failing = failAt('COMMIT', 'ROLLBACK');
    expect((await Promise.all([order(), order()])).map(({ status }) => status)).toEqual([503, 503]);
    expect((await order()).status).toBe(503);
    failing.clear();
    expect((await order()).status).toBe(201);
    expect((await ask('/orders', { token })).json).toMatchObject({ data: [{ total: 899 }] });
    expect(await countRows(db, 'orders')).toBe(1);
  });

  it.each([
    ['read-only', 'PRAGMA query_only = ON', 'PRAGMA query_only = OFF'],
    ['full', 'PRAGMA max_page_count = 1', 'PRAGMA max_page_count = 1000000'],
  ])('a %s disk is a 503, never a 201; reads go on; then it recovers', async (_name, breakIt, repair) => {
    const { db, ask, token, customer, writer } = await shop();
    const shippingAddress = { ...ADDRESS, fullName: 'x'.repeat(100), address: 'x'.repeat(490) };
    const order = () => ask('/orders', { token, json: { products: { [MANGO]: 1 }, shippingAddress } });
    writer.exec(breakIt);
    const statuses: number[] = [];
    for (let round = 0; round < 40; round += 1) statuses.push((await order()).status);
    const placed = statuses.filter((status) => status === 201).length;
    expect(new Set(statuses.filter((status) => status !== 201))).toEqual(new Set([503]));
    expect(await countRows(db, 'orders')).toBe(placed);
    expect(await countRows(db, 'order_items')).toBe(placed);
    expect((await ask('/products')).status).toBe(200);
    writer.exec(repair);
    expect((await order()).status).toBe(201);
    expect((await ask('/accountInfo', { token: (await customer()).token })).status).toBe(200);
  });
});

test.each([['backup', 'FOLDER/backup'], ['catalogue'], ['staff', 'list']])(
  'npm run %s refuses if there is no database, and creates none',
  async (command, ...args) => {
    const folder = temporaryFolder();
    const database = await newDatabase(folder, 'none');
    const given = args.map((word) => word.replace('FOLDER', folder));
    await expect(runCommand(command, database, ...given)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^(?!.* {4}at ).*There is no database of a shop at/s),
    });
    if (isPostgres(database)) expect(await databaseState(database)).toBe('none');
    else expect(readdirSync(folder)).toEqual([]);
  },
);
