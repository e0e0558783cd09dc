import { randomUUID } from 'node:crypto';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { Client } from 'pg';
import * as v from 'valibot';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startApi } from '#server/app/start.ts';
import { StorageError } from '#server/db/errors.ts';
import { databaseState, openDatabase, shownAddress } from '#server/db/open-database.ts';
import { migratePostgres } from '#server/db/postgres/migrate.ts';
import { OrderDtoSchema } from '#server/orders/schema.ts';
import { ADDRESS, CATALOGUE, MANGO, PASSWORD, testApi } from '#tests/server/support/api.ts';
import {
  dropTables,
  emptyDatabase,
  openEmptyDatabase,
  openUntilEnd,
  queryAt,
  renewTables,
} from '#tests/server/support/databases.ts';
import { METHODS } from '#tests/server/support/payments.ts';
import { countRows, runSql, TABLE_NAMES, valuesOf } from '#tests/server/support/rows.ts';
import { UNLIMITED } from '#tests/support/api.ts';
import { freePort } from '#tests/support/free-port.ts';

const put = (name: string) => `INSERT INTO meta VALUES ('${name}', 'x')`;

describe('concurrent transactions', () => {
  it('a deadlock is retried until both are done', async () => {
    const db = await openEmptyDatabase();
    await runSql(db, put('a'));
    await runSql(db, put('b'));
    const both = Promise.withResolvers<void>();
    let begun = 0;
    const swap = (one: string, other: string) =>
      db.write(async (transaction) => {
        const touch = (name: string) =>
          runSql(transaction, "UPDATE meta SET value = value || 'y' WHERE name = ?", name);
        await touch(one);
        begun += 1;
        if (begun === 2) both.resolve();
        await both.promise;
        await touch(other);
      });
    await Promise.all([swap('a', 'b'), swap('b', 'a')]);
    const values = await valuesOf(db, "SELECT value FROM meta WHERE name IN ('a', 'b')");
    expect(values).toEqual(['xyy', 'xyy']);
    expect(begun).toBeGreaterThan(2);
  });

  it('a transaction that always conflicts ends in a StorageError, and stores nothing', async () => {
    const db = await openEmptyDatabase();
    let attempts = 0;
    const conflict = "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'serialization_failure'; END $$";
    const never = db.write(async (transaction) => {
      attempts += 1;
      await runSql(transaction, put('a'));
      await runSql(transaction, conflict);
    });
    await expect(never).rejects.toMatchObject({ name: 'Error', code: '40001' });
    await expect(never).rejects.toBeInstanceOf(StorageError);
    expect(attempts).toBeGreaterThan(2);
    expect(await countRows(db, "meta WHERE value = 'x'")).toBe(0);
  });

  it('work that ignores a database error is rolled back and fails', async () => {
    const db = await openEmptyDatabase();
    const work = db.write(async (transaction) => {
      await runSql(transaction, put('a'));
      await runSql(transaction, put('a')).catch(() => undefined);
    });
    await expect(work).rejects.toThrow('rolled back');
    expect(await countRows(db, "meta WHERE value = 'x'")).toBe(0);
  });

  it('a lock that is never released is a 503 with Retry-After; reads go on; then it recovers', async () => {
    const address = await emptyDatabase();
    const first = await testApi({ db: await openUntilEnd(address) });
    const { token } = await first.customer();
    const other = new Client({ connectionString: address });
    await other.connect();
    await other.query('BEGIN; SELECT 1 FROM customers FOR UPDATE');
    const waiting = first.order(token);
    expect((await first.ask('/orders', { token })).status).toBe(200);
    const refused = await waiting;
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    await other.query('ROLLBACK');
    await other.end();
    expect((await first.order(token)).status).toBe(201);
  });
});

/** A proxy between the API and its database, which breaks what a test names. */
async function openProxy(target: URL) {
  const sockets = new Set<Socket>();
  let breakAt: string | undefined;
  const server: Server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    client.on('data', (chunk) => {
      const isWanted = breakAt !== undefined && chunk.includes(breakAt);
      upstream.write(chunk);
      // The database receives it, but its answer is lost.
      if (isWanted) client.destroy();
    });
    upstream.on('data', (chunk) => client.write(chunk));
    upstream.on('close', () => client.destroy());
    client.on('close', () => upstream.end());
  });
  const port = await freePort();
  const listen = () => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen();
  const address = Object.assign(new URL(target), { port });
  return {
    address: address.href,
    breakAt: (text: string | undefined) => {
      breakAt = text;
    },
    /** Every connection breaks, and none can be opened until `restore`. */
    cut: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
    restore: listen,
  };
}

describe('a database that is lost', () => {
  it('is a 503 with Retry-After for reads and writes, and the next calls work once it is back', async () => {
    const proxy = await openProxy(new URL(await emptyDatabase()));
    const api = await testApi({ db: await openUntilEnd(proxy.address) });
    const { token } = await api.customer();
    await proxy.cut();
    const asked = [
      api.order(token),
      api.ask('/accountInfo', { token }),
      api.ask('/users/authorize', { json: { email: 'asha@example.com', password: PASSWORD } }),
      api.ask(`/orders/${randomUUID()}?contactInfo=x`),
      api.ask('/readyz'),
    ];
    for (const answer of await Promise.all(asked)) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    }
    expect((await api.ask('/healthz')).status).toBe(200);
    await proxy.restore();
    expect((await api.order(token)).status).toBe(201);
    expect((await api.ask('/readyz')).status).toBe(200);
    await proxy.cut();
  });

  it('whose answer to COMMIT is lost is a 503, and sent again with its key it is the same order', async () => {
    const address = await emptyDatabase();
    const proxy = await openProxy(new URL(address));
    const api = await testApi({ db: await openUntilEnd(proxy.address) });
    const { token } = await api.customer();
    const json = { products: { [MANGO]: 1 }, shippingAddress: ADDRESS };
    const headers = { 'Idempotency-Key': 'one' };
    proxy.breakAt('COMMIT');
    expect((await api.ask('/orders', { token, json, headers })).status).toBe(503);
    proxy.breakAt(undefined);
    await expect.poll(() => countRows(api.db, 'orders')).toBe(1);
    expect((await api.ask('/orders', { token, json, headers })).status).toBe(201);
    expect(await countRows(api.db, 'orders')).toBe(1);
    await proxy.cut();
  });

  it('that cannot be reached at the start is reported in a line without its password', async () => {
    const nowhere = 'postgres://shop:secret@127.0.0.1:1/shop';
    const reason = /^The database cannot be reached: (?!.*secret).*ECONNREFUSED/;
    await expect(openDatabase(nowhere)).rejects.toThrow(reason);
  });
});

describe('a database that is out of reach at the start', () => {
  /** Starts an API and records its log. */
  async function startWith(database: string) {
    const port = await freePort();
    const lines: string[] = [];
    const starting = startApi({
      database,
      catalogue: CATALOGUE,
      host: '127.0.0.1',
      port,
      log: (level, event) => lines.push(`${level}: ${event}`),
    });
    onTestFinished(() => starting.then((api) => api.close()).catch(() => undefined));
    return { starting, lines, get: (path: string) => fetch(`http://127.0.0.1:${port}${path}`) };
  }
  const OUT_OF_REACH = 'error: The database is unreachable. Retrying.';

  it('is logged once and retried; until it is there the process lives, is not ready, and serves nothing', async () => {
    const proxy = await openProxy(new URL(await emptyDatabase()));
    await proxy.cut();
    let tries = 0;
    const refusing = createServer((socket) => {
      tries += 1;
      socket.destroy();
    }).listen(Number(new URL(proxy.address).port), '127.0.0.1');
    const { starting, lines, get } = await startWith(proxy.address);
    await expect.poll(() => tries).toBeGreaterThan(2);
    expect(lines).toEqual([OUT_OF_REACH]);
    for (const path of ['/readyz', '/api/v1/products', '/api/v1/orders', '/openapi.json']) {
      const { status, headers } = await get(path);
      const sent = ['retry-after', 'cache-control'].map((name) => headers.get(name));
      expect([status, ...sent]).toEqual([503, '1', 'no-store']);
    }
    expect((await get('/healthz')).status).toBe(200);

    await new Promise((resolve) => refusing.close(resolve));
    await proxy.restore();
    await starting;
    expect(lines).toEqual([OUT_OF_REACH, 'info: catalogue ready']);
    for (const path of ['/readyz', '/healthz', '/api/v1/products'])
      expect((await get(path)).status).toBe(200);
    await proxy.cut();
  });

  it('is not waited for if the settings are wrong', async () => {
    const { starting } = await startWith(new URL('/no_such_database', await emptyDatabase()).href);
    await expect(starting).rejects.toThrow(
      'The database cannot be reached: database "no_such_database" does not exist',
    );
  });
});

describe('migrations', () => {
  it('run once when three processes open a new database at the same time', async () => {
    const address = await emptyDatabase();
    await dropTables(address);
    await Promise.all([migratePostgres(address), migratePostgres(address), migratePostgres(address)]);
    const db = await openUntilEnd(address);
    expect(await countRows(db, "meta WHERE name = 'schema_version'")).toBe(1);
    expect(await countRows(db, 'orders')).toBe(0);
  });

  it('refuse a database without the mark of this shop, and name it', async () => {
    const address = await emptyDatabase();
    await queryAt(address, "DELETE FROM meta WHERE name = 'application'");
    await expect(openDatabase(address)).rejects.toThrow(
      `'${shownAddress(address)}' is not a database of this shop: move it away`,
    );
    expect(await databaseState(address)).toBe('foreign');
    await renewTables(address);
  });

  it('of a later version run while an older process sells, which continues and loses nothing', async () => {
    const address = await emptyDatabase();
    const api = await testApi({ db: await openUntilEnd(address), settings: UNLIMITED });
    const { token, email } = await api.customer();
    const calls = async () => {
      const placed = await api.order(token);
      const { id } = v.parse(OrderDtoSchema, placed.json);
      const others = [
        await api.ask(`/orders/${id}?contactInfo=${email}`),
        await api.ask('/orders', { token }),
        await api.ask('/accountInfo', { token }),
        await api.ask('/products'),
        await api.ask('/payments', { token, json: { orderId: id, fields: { method: METHODS.qr } } }),
        await api.ask('/users/authorize', { json: { email, password: PASSWORD } }),
      ];
      return [placed, ...others].map(({ status }) => status);
    };
    const allWell = [201, 200, 200, 200, 200, 200, 200];
    // The process has prepared all its statements before the tables change.
    expect(await calls()).toEqual(allWell);
    const selling = Promise.all(Array.from({ length: 20 }, () => api.order(token)));
    const shared = TABLE_NAMES.filter((table) => table !== 'meta');
    for (const table of shared) {
      await queryAt(address, `ALTER TABLE ${table} ADD COLUMN later TEXT NOT NULL DEFAULT ''`);
    }
    await queryAt(address, "UPDATE meta SET value = '999' WHERE name = 'schema_version'");
    expect((await selling).map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(await calls()).toEqual(allWell);
    expect(await countRows(api.db, 'orders')).toBe(22);
    await renewTables(address);
  });
});
