import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '#scripts/api/db/database.ts';
import { MIGRATIONS } from '#scripts/api/db/migrations.ts';
import { StorageError, storageError } from '#scripts/api/db/storage-error.ts';
import { MANGO, testApi } from './support/api.ts';
import { countRow } from './support/rows.ts';

let folder = '';
let file = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shop-'));
  file = join(folder, 'data', 'shop.sqlite');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

const put = (name: string) => `INSERT INTO meta VALUES ('${name}', 'x')`;
const metaRows = (db: ReturnType<typeof openDatabase>) =>
  db.get(countRow, "SELECT count(*) AS count FROM meta WHERE value = 'x'")?.count;

describe('the database', () => {
  it('[bar] makes its folder, and is durable: WAL, synchronous FULL, foreign keys', () => {
    const db = openDatabase(file);
    const pragma = (name: string) =>
      Object.values(db.get(v.record(v.string(), v.unknown()), `PRAGMA ${name}`) ?? {})[0];
    expect([pragma('journal_mode'), pragma('synchronous'), pragma('foreign_keys')]).toEqual(['wal', 2, 1]);
    expect(pragma('user_version')).toBe(MIGRATIONS.length);
    db.close();
  });

  it('refuses a database of a later version, and leaves it', () => {
    openDatabase(file).close();
    const other = new DatabaseSync(file);
    other.exec('PRAGMA user_version = 999');
    other.close();
    expect(() => openDatabase(file)).toThrow(/version 999/);
  });

  it('commits the writes of a tick together, and answers after the commit', async () => {
    const db = openDatabase(file);
    const outside = new DatabaseSync(file);
    const seen = () => v.parse(countRow, outside.prepare('SELECT count(*) AS count FROM meta').get()).count;
    const counts: number[] = [];
    await Promise.all(
      ['a', 'b', 'c'].map((name) => db.write(() => db.run(put(name))).then(() => counts.push(seen()))),
    );
    expect(counts).toEqual([3, 3, 3]);
    outside.close();
    db.close();
  });

  it('what one write throws undoes that write alone', async () => {
    const db = openDatabase(':memory:');
    const results = await Promise.allSettled([
      db.write(() => db.run(put('a'))),
      db.write(() => {
        db.run(put('b'));
        throw new Error('changed my mind');
      }),
      db.write(() => db.run(put('a'))),
      db.write(() => db.run(put('c'))),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(metaRows(db)).toBe(2);
    db.close();
  });

  it('stores what is waiting when it closes, and refuses what comes after', async () => {
    const db = openDatabase(file);
    const waiting = db.write(() => db.run(put('a')));
    db.close();
    await waiting;
    await expect(db.write(() => db.run(put('b')))).rejects.toBeInstanceOf(StorageError);
    const again = openDatabase(file);
    expect(metaRows(again)).toBe(1);
    again.close();
  });
});

describe('[fault 79] storage that fails', () => {
  async function shop() {
    const db = openDatabase(file);
    const api = await testApi({ db });
    const { token } = await api.customer();
    return { ...api, token, order: () => api.order(token, { [MANGO]: 1 }) };
  }

  it('a lock held for seconds is a 503 with Retry-After; reads go on; then it recovers', async () => {
    const { order, ask, token, db } = await shop();
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
    db.close();
  });

  it('a lock is given up in time though the computer’s clock is set back meanwhile', async () => {
    const db = openDatabase(file);
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    const now = Date.now();
    const looks = vi.spyOn(Date, 'now').mockReturnValueOnce(now);
    for (let look = 0; look < 200; look += 1) looks.mockReturnValueOnce(now - 365 * 86_400_000);
    await expect(db.write(() => db.run(put('a')))).rejects.toBeInstanceOf(StorageError);
    expect(looks.mock.calls.length).toBeLessThan(200);
    looks.mockRestore();
    other.close();
    db.close();
  });

  it('a lock that is let go in time is only waited for', async () => {
    const db = openDatabase(file);
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    const waiting = db.write(() => db.run(put('a')));
    // The writes of a tick are tried in its check phase: after two of them one has been refused.
    await nextTick();
    await nextTick();
    other.exec('COMMIT');
    other.close();
    await waiting;
    expect(metaRows(db)).toBe(1);
    db.close();
  });

  it('a commit that fails tells nobody of success, and the next one works', async () => {
    const db = openDatabase(file);
    const orphan = "INSERT INTO sessions VALUES ('t', 'nobody', 0)";
    const results = await Promise.allSettled([
      db.write(() => db.run(put('a'))),
      db.write(() => {
        db.run('PRAGMA defer_foreign_keys = ON');
        db.run(orphan);
      }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await db.write(() => db.run(put('b')));
    expect(metaRows(db)).toBe(1);
    db.close();
  });

  /** SQLITE_IOERR_FSYNC, as node:sqlite throws it. */
  const fsyncError = () =>
    Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 1_034 });

  it('an fsync that fails is a failure of the storage, whatever kind of I/O error SQLite calls it', () => {
    expect(storageError(fsyncError())).toBeInstanceOf(StorageError);
    expect(storageError(fsyncError())).toMatchObject({ code: 10 });
  });

  it('an fsync that fails at the commit is a 503, never a 201; reads go on; then it recovers', async () => {
    const { order, ask, token, db } = await shop();
    const { exec } = DatabaseSync.prototype;
    const disk = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (
      this: DatabaseSync,
      sql,
    ) {
      if (sql === 'COMMIT') throw fsyncError();
      exec.call(this, sql);
    });
    const refused = await order();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(refused.json).toEqual({ error: 'The service is busy. Please try again in a moment.' });
    expect((await ask('/orders', { token })).json).toEqual({ data: [] });
    expect((await ask('/products')).status).toBe(200);
    disk.mockRestore();
    expect((await order()).status).toBe(201);
    expect((await ask('/orders', { token })).json).toMatchObject({ data: [{ total: 899 }] });
    db.close();
  });

  it('a failed commit that cannot be undone at once is a 503 as well; it is undone before the next', async () => {
    const { order, ask, token, db } = await shop();
    const { exec } = DatabaseSync.prototype;
    const failing = new Set(['COMMIT', 'ROLLBACK']);
    vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
      if (failing.has(sql)) throw fsyncError();
      exec.call(this, sql);
    });
    expect((await Promise.all([order(), order()])).map(({ status }) => status)).toEqual([503, 503]);
    expect((await order()).status).toBe(503);
    failing.clear();
    expect((await order()).status).toBe(201);
    expect((await ask('/orders', { token })).json).toMatchObject({ data: [{ total: 899 }] });
    expect(db.get(countRow, 'SELECT count(*) AS count FROM orders')).toEqual({ count: 1 });
    db.close();
  });

  it.each([
    ['read-only', 'PRAGMA query_only = ON', 'PRAGMA query_only = OFF'],
    ['full', 'PRAGMA max_page_count = 1', 'PRAGMA max_page_count = 1000000'],
  ])('a %s disk is a 503, never a 201; reads go on; then it recovers', async (_name, breakIt, mendIt) => {
    const { db, ask, token, customer } = await shop();
    const big = {
      fullName: 'x'.repeat(100),
      address: 'x'.repeat(490),
      city: 'x',
      state: 'x',
      postalCode: '1',
      phone: '1',
    };
    const order = () => ask('/orders', { token, json: { products: { [MANGO]: 1 }, shippingAddress: big } });
    db.get(v.unknown(), breakIt);
    const statuses: number[] = [];
    for (let round = 0; round < 40; round += 1) statuses.push((await order()).status);
    const placed = statuses.filter((status) => status === 201).length;
    expect(new Set(statuses.filter((status) => status !== 201))).toEqual(new Set([503]));
    expect(db.get(countRow, 'SELECT count(*) AS count FROM orders')).toEqual({ count: placed });
    expect(db.get(countRow, 'SELECT count(*) AS count FROM order_items')).toEqual({ count: placed });
    expect((await ask('/products')).status).toBe(200);
    db.get(v.unknown(), mendIt);
    expect((await order()).status).toBe(201);
    expect((await ask('/accountInfo', { token: (await customer()).token })).status).toBe(200);
    db.close();
  });
});
