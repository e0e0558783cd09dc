import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '#scripts/api/db/open-database.ts';
import { reconcile } from '#tests/torture/reconcile.ts';
import type { Attempt } from '#tests/torture/shoppers.ts';

let folder: string;
let file: string;
let sqlite: DatabaseSync;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'reconcile-'));
  file = join(folder, 'shop.sqlite');
  await (await openDatabase(file)).close();
  sqlite = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  sqlite.exec(`
    INSERT INTO products (id, position, title, unit_paise, wire) VALUES ('mango', 0, 'Mango', 100, '{}');
    INSERT INTO users VALUES ('asha', 'asha@example.com', 'x', 'Asha', 'Rao', 0);
  `);
});

afterEach(() => {
  sqlite.close();
  rmSync(folder, { recursive: true });
});

const attempt = (quantity: number, ...answered: string[]): Attempt => ({
  shopper: 0,
  key: `key of ${answered.join(' and ')}`,
  quantity,
  answered: new Set(answered),
});

/** An order as the API stores it: a row, its item and its key. */
function store(id: string, quantity: number): void {
  const order = `(SELECT number FROM orders WHERE id = '${id}')`;
  sqlite.exec(`
    INSERT INTO orders (id, user_id, created_at, total_paise, address) VALUES ('${id}', 'asha', 0, ${quantity * 100}, '{}');
    INSERT INTO order_items VALUES (${order}, 0, 'mango', 'Mango', ${quantity}, 100);
    INSERT INTO order_keys VALUES ('asha', 'key of ${id}', 'hash', '{"id":"${id}"}', 0);
  `);
}

/** What is wrong after Asha was told of orders a (two mangoes) and b (three), and `change` happened to the file. */
function wrongAfter(
  change: () => void = () => undefined,
  { attempts = [attempt(2, 'a'), attempt(3, 'b')], listed = ['a', 'b'] } = {},
): Readonly<Record<string, number>> {
  store('a', 2);
  store('b', 3);
  change();
  const { wrong } = reconcile(file, { attempts, listed: new Set(listed) });
  return Object.fromEntries(Object.entries(wrong).filter(([, count]) => count !== 0));
}

it('[fault 78] finds nothing wrong where every acknowledged order is there once', () => {
  expect(wrongAfter()).toEqual({});
});

const FINDINGS: readonly [what: string, change: string, found: Readonly<Record<string, number>>][] = [
  [
    'an order that is gone with all that belongs to it',
    `DELETE FROM order_items WHERE order_number = 1; DELETE FROM order_keys WHERE key = 'key of a'; DELETE FROM orders WHERE id = 'a'`,
    { 'acknowledged orders lost': 1 },
  ],
  [
    'an order whose row alone is gone',
    `DELETE FROM orders WHERE id = 'a'`,
    {
      'acknowledged orders lost': 1,
      'items without an order': 1,
      'keys without their order': 1,
      'broken references (foreign_key_check)': 1,
    },
  ],
  [
    'an order whose items are gone',
    'DELETE FROM order_items WHERE order_number = 2',
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
    { 'totals that are not the sum of their items': 1 },
  ],
  [
    'items of another attempt',
    'UPDATE order_items SET quantity = 2; UPDATE orders SET total_paise = 200',
    { 'orders of another quantity than asked for': 1 },
  ],
];

it.each(FINDINGS)('[fault 78] names %s', (_what, change, found) => {
  expect(wrongAfter(() => sqlite.exec(change))).toEqual(found);
});

it('[fault 78] names an order that was made twice', () => {
  const third = () => store('c', 2);
  const attempts = [attempt(2, 'a', 'c'), attempt(3, 'b')];
  expect(wrongAfter(third, { attempts, listed: ['a', 'b', 'c'] })).toEqual({
    'attempts with more than one order': 1,
    'orders more than attempts': 1,
  });
});

it('[fault 78] names an order that nobody was told of', () => {
  expect(wrongAfter(() => store('c', 2))).toEqual({
    'orders more than attempts': 1,
    'orders that no attempt was told of': 1,
  });
});

it('[fault 78] names an order that GET /orders does not show', () => {
  expect(wrongAfter(undefined, { listed: ['b'] })).toEqual({
    'acknowledged orders missing in GET /orders': 1,
  });
});
