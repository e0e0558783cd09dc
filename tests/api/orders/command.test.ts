import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it, onTestFinished } from 'vitest';
import { formatPaise } from '#domain/money.ts';
import type { Database } from '#scripts/api/db/database.ts';
import { openDatabase } from '#scripts/api/db/open-database.ts';
import { runOrdersCommand } from '#scripts/api/orders/command.ts';
import { OrderSchema } from '#scripts/api/orders/schema.ts';
import { ExplainedError } from '#scripts/program/explained-error.ts';
import { ORDER_TOTAL, testApi } from '#tests/api/support/api.ts';
import { storedDatabase } from '#tests/api/support/databases.ts';

async function withOrder(db?: Database) {
  const api = await testApi(db ? { db } : {});
  const { token } = await api.customer();
  const { id } = await api.placeOrder(token);
  const status = async () => {
    const { json } = await api.ask('/orders', { token });
    return v.parse(v.object({ data: v.tuple([OrderSchema]) }), json).data[0].status;
  };
  return { ...api, id, status, run: (...words: string[]) => runOrdersCommand(api.db, words, api.shop) };
}

describe('runOrdersCommand', () => {
  it('moves an order through every status', async () => {
    const { run, id, status } = await withOrder();
    const seen = [await status()];
    for (const move of ['process', 'ship', 'deliver']) {
      await run(move, id);
      seen.push(await status());
    }
    expect(seen).toEqual([0, 1, 2, 3]);
    const other = await withOrder();
    expect(await other.run('cancel', other.id.slice(0, 8))).toBe(`Order ${other.id}: Pending → Cancelled`);
    expect(await other.status()).toBe(4);
  });

  it('refuses a move out of turn, and says why', async () => {
    const { run, id, status } = await withOrder();
    await expect(run('ship', id)).rejects.toThrow(`Order ${id} is Pending; to ship it must be Processing.`);
    await expect(run('deliver', id)).rejects.toThrow(ExplainedError);
    await run('cancel', id);
    for (const move of ['process', 'ship', 'deliver', 'cancel']) {
      await expect(run(move, id)).rejects.toThrow(ExplainedError);
    }
    expect(await status()).toBe(4);
  });

  it('lists and shows', async () => {
    const { run, id, db } = await withOrder();
    expect(await run('list')).toMatch(
      new RegExp(`^${id} {2}Pending +${formatPaise(ORDER_TOTAL)} {2}2026-01-05T10:00:00.000Z$`),
    );
    expect(await run('show', id)).toContain('2 × Alphonso Mango, box of 6');
    await db.write((transaction) => transaction.run('DELETE FROM order_items'));
    await db.write((transaction) => transaction.run('DELETE FROM orders'));
    expect(await run('list')).toBe('There are no orders yet.');
  });

  it.each([
    [[]],
    [['ship']],
    [['__proto__', 'x']],
    [['toString', 'x']],
    [['show', 'abc']],
    [['ship', '________']],
  ])('%j is refused with a text', async (words) => {
    const { run } = await withOrder();
    await expect(run(...words)).rejects.toThrow(ExplainedError);
  });
});

/** Runs `npm run orders` as a person does. */
function npmRunOrders(database: string, ...words: string[]) {
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(
      'npm',
      ['run', '--silent', 'orders', '--', ...words],
      { env: { ...process.env, DATABASE: database } },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

describe('npm run orders', () => {
  it('changes an order of the database, and says why it does not', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'orders-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const database = await storedDatabase(join(folder, 'shop.sqlite'));
    const db = await openDatabase(database);
    const { id, status } = await withOrder(db);

    const listed = await npmRunOrders(database, 'list');
    expect([listed.code, listed.stdout]).toEqual([0, expect.stringContaining(`${id}  Pending`)]);
    const changed = await npmRunOrders(database, 'process', id);
    expect([changed.code, changed.stdout]).toEqual([0, `Order ${id}: Pending → Processing\n`]);
    expect(await status()).toBe(1);
    await db.close();

    const refused = await npmRunOrders(database, 'deliver', id);
    const reason = `Order ${id} is Processing; to deliver it must be Shipped.\n`;
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([1, '', reason]);
    const misspelt = await npmRunOrders(database);
    expect([misspelt.code, misspelt.stderr]).toEqual([1, expect.stringContaining('npm run orders -- list')]);
    const missing = await npmRunOrders(join(folder, 'none.sqlite'), 'list');
    expect([missing.code, missing.stderr]).toEqual([
      1,
      expect.stringContaining('There is no database of a shop at'),
    ]);
  });
});
