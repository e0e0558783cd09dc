import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { beforeEach, expect, it } from 'vitest';
import { isPostgres, openDatabase } from '#scripts/api/db/open-database.ts';
import { storedDatabase } from '#tests/api/support/databases.ts';
import { temporaryFolder } from '#tests/publish/support/temporary-folder.ts';
import { reconcile } from '#tests/torture/reconcile.ts';
import type { Attempt } from '#tests/torture/shoppers.ts';

let address: string;

beforeEach(async () => {
  address = await storedDatabase(`${temporaryFolder()}/shop.sqlite`);
  await (await openDatabase(address)).close();
  await run(`
    INSERT INTO products (id, position, title, unit_paise, wire) VALUES ('mango', 0, 'Mango', 100, '{}');
    INSERT INTO users (id, email, password_hash, first_name, last_name, created_at) VALUES ('asha', 'asha@example.com', 'x', 'Asha', 'Rao', 0);
  `);
});

/** Changes the database without a check of its references. */
async function run(sql: string): Promise<void> {
  if (isPostgres(address)) {
    const client = new Client({ connectionString: address });
    await client.connect();
    await client.query(`SET session_replication_role = replica; ${sql}`);
    await client.end();
  } else {
    const sqlite = new DatabaseSync(address, { enableForeignKeyConstraints: false });
    sqlite.exec(sql);
    sqlite.close();
  }
}

const attempt = (quantity: number, ...answered: string[]): Attempt => ({
  shopper: 0,
  key: `key of ${answered.join(' and ')}`,
  quantity,
  answered: new Set(answered),
});

const numberOf = (id: string): string => `(SELECT number FROM orders WHERE id = '${id}')`;

/** An order as the API stores it: a row, its item and its key. */
const order = (id: string, quantity: number): string => `
  INSERT INTO orders (id, user_id, created_at, total_paise, address) VALUES ('${id}', 'asha', 0, ${quantity * 100}, '{}');
  INSERT INTO order_items (order_number, position, product_id, title, quantity, unit_paise)
    VALUES (${numberOf(id)}, 0, 'mango', 'Mango', ${quantity}, 100);
  INSERT INTO order_keys VALUES ('asha', 'key of ${id}', 'hash', '{"id":"${id}"}', 0);
`;

/** Stores a subtotal and a charge with an order. */
const withLines = (id: string, subtotal: number, delivery: number): string => `
  UPDATE orders SET amounts = '[{"name":"Subtotal","paise":${subtotal}},{"name":"Delivery","paise":${delivery}}]'
    WHERE id = '${id}';
`;

/** What is wrong after Asha was told of orders a (two mangoes) and b (three), and `change` happened to the database. */
async function wrongAfter(
  change = '',
  { attempts = [attempt(2, 'a'), attempt(3, 'b')], listed = ['a', 'b'] } = {},
): Promise<Readonly<Record<string, number>>> {
  await run(order('a', 2) + order('b', 3) + change);
  const db = await openDatabase(address);
  const { wrong } = await reconcile(db, { attempts, listed: new Set(listed) }).finally(() => db.close());
  return Object.fromEntries(Object.entries(wrong).filter(([, count]) => count !== 0));
}

it('[fault 78, 95] finds nothing wrong where every acknowledged order is there once', async () => {
  expect(await wrongAfter()).toEqual({});
});

it('finds nothing wrong in an order that has a charge beside its items', async () => {
  const change = `UPDATE orders SET total_paise = 240 WHERE id = 'a'; ${withLines('a', 200, 40)}`;
  expect(await wrongAfter(change)).toEqual({});
});

const FINDINGS: readonly [what: string, change: string, found: Readonly<Record<string, number>>][] = [
  [
    'an order that is gone with all that belongs to it',
    `DELETE FROM order_items WHERE order_number = ${numberOf('a')}; DELETE FROM order_keys WHERE key = 'key of a'; DELETE FROM orders WHERE id = 'a'`,
    { 'acknowledged orders lost': 1 },
  ],
  [
    'an order whose row alone is gone',
    `DELETE FROM orders WHERE id = 'a'`,
    {
      'acknowledged orders lost': 1,
      'items without an order': 1,
      'keys without their order': 1,
    },
  ],
  [
    'an order whose items are gone',
    `DELETE FROM order_items WHERE order_number = ${numberOf('b')}`,
    { 'orders without items': 1, 'orders of another quantity than asked for': 1 },
  ],
  [
    'an order whose key is gone',
    `DELETE FROM order_keys WHERE key = 'key of b'`,
    { 'orders without their key': 1 },
  ],
  [
    'a total that is not the sum',
    `UPDATE orders SET total_paise = 1 WHERE id = 'a'`,
    { 'orders that do not add up': 1 },
  ],
  [
    'lines that do not come to the total, and a subtotal that is not that of the items',
    withLines('a', 200, 40) + withLines('b', 299, 1),
    { 'orders that do not add up': 2 },
  ],
  [
    'items of another attempt',
    'UPDATE order_items SET quantity = 2; UPDATE orders SET total_paise = 200',
    { 'orders of another quantity than asked for': 1 },
  ],
];

it.each(FINDINGS)('[fault 78, 95] names %s', async (_what, change, found) => {
  expect(await wrongAfter(change)).toEqual(found);
});

it('[fault 78, 95] names an order that was made twice', async () => {
  const attempts = [attempt(2, 'a', 'c'), attempt(3, 'b')];
  expect(await wrongAfter(order('c', 2), { attempts, listed: ['a', 'b', 'c'] })).toEqual({
    'attempts with more than one order': 1,
    'orders more than attempts': 1,
  });
});

it('[fault 78, 95] names an order that nobody was told of', async () => {
  expect(await wrongAfter(order('c', 2))).toEqual({
    'orders more than attempts': 1,
    'orders that no attempt was told of': 1,
  });
});

it('[fault 78, 95] names an order that GET /orders does not show', async () => {
  expect(await wrongAfter('', { listed: ['b'] })).toEqual({
    'acknowledged orders missing in GET /orders': 1,
  });
});
