import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { formatPaise } from '#domain/money.ts';
import type { RunningApi } from '#server/app/start.ts';
import { openPostgres } from '#server/db/postgres/postgres.ts';
import { openSqlite } from '#server/db/sqlite/sqlite.ts';
import { copyToPostgres } from '#server/db/transfer/copy-to-postgres.ts';
import { recordRefund } from '#server/ledger/refund.ts';
import { readSettings } from '#server/settings/settings.ts';
import { temporaryFolder } from '#tests/publish/support/temporary-folder.ts';
import { ADDRESS, MANGO, ORDER_TOTAL } from '#tests/server/support/api.ts';
import { emptyDatabase, queryAt, renewTables } from '#tests/server/support/databases.ts';
import { firstValue, rowsOf, runSql, TABLE_NAMES } from '#tests/server/support/rows.ts';
import { openShop, runCommand } from '#tests/server/support/running-api.ts';

const orderOnce = ({ url }: RunningApi, token: string) =>
  fetch(`${url}/api/v1/orders`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${token}`,
      'Idempotency-Key': 'sent-before-and-after',
    },
    body: JSON.stringify({ products: { [MANGO]: 1 }, shippingAddress: ADDRESS }),
  }).then((answer) => answer.text());

/** A shop with customers, sessions, orders, keys, pictures, payments and a refund. */
async function sellingShop() {
  const file = join(temporaryFolder(), 'shop.sqlite');
  const shop = await openShop(file);
  const shopper = await shop.newSignedIn();
  const first = await shop.order(shopper, { quantities: { [MANGO]: 2 } });
  await shop.pay(shopper, first.id);
  const second = await shop.order(shopper, { quantities: { [MANGO]: 3 } });
  const answer = await orderOnce(shop.api, shopper.token);
  await shop.api.db.write(async (transaction) => {
    const byHand = { way: 'bank_transfer', happenedOn: '2026-01-05', externalId: 'UTR1' } as const;
    const services = { settings: readSettings({}), clock: Date.now };
    const book = { transaction, services, orderNumber: 1, recordedBy: 'owner' };
    await recordRefund(book, { paise: 100, reason: 'A bruise', byHand });
    await runSql(
      transaction,
      "INSERT INTO staff (id, email, name, role, created_at) VALUES ('s', 'editor@example.com', 'Editor', 'editor', 1)",
    );
    await runSql(transaction, "INSERT INTO tokens VALUES ('hash', 'staffPassword', 's', 1)");
    await runSql(
      transaction,
      "INSERT INTO admin_log VALUES (7, 1, 's', 'Editor', 'edit', 'product', 'p', NULL, NULL)",
    );
  });
  return { file, shop, shopper, first, second, answer };
}

/** More rows than one INSERT takes, and pictures larger than a batch. */
function addMuch(file: string): void {
  const sqlite = new DatabaseSync(file);
  sqlite.exec(`
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20000)
      INSERT INTO order_keys SELECT (SELECT id FROM customers), 'key ' || n, '', '🍎', n FROM numbers;
    INSERT INTO pictures VALUES ('large', '', randomblob(6000000)), ('other', '', randomblob(3000000))`);
  sqlite.close();
}

const asText = (value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
const inOrder = (rows: readonly object[]): string[] =>
  rows
    .map((row) =>
      JSON.stringify(
        Object.entries(row)
          .map(([name, value]) => [name, String(asText(value))])
          .sort(),
      ),
    )
    .sort();

describe('npm run copy', () => {
  it('copies every row of every table, and prints the totals', async () => {
    const { file, shop } = await sellingShop();
    await shop.close();
    addMuch(file);
    const database = await emptyDatabase();
    const { stdout } = await runCommand('copy', database, file);
    expect(stdout).toMatch(/order_keys +20001 rows/);
    expect(stdout).toMatch(/pictures +\d+ rows/);
    for (const [name, paise] of [
      ['orders', 3 * ORDER_TOTAL],
      ['items', 6 * 89_900],
      ['movements in payment done', ORDER_TOTAL],
      ['movements out refund done', 100],
      ['adjustments refund', 100],
      ['orders partly_refunded', ORDER_TOTAL - 100],
    ] as const)
      expect(stdout).toMatch(new RegExp(`${name} +${formatPaise(paise)}\\n`));

    const source = openSqlite(file);
    onTestFinished(() => source.close());
    const target = await openPostgres(database, () => undefined);
    onTestFinished(() => target.close());
    for (const name of TABLE_NAMES) {
      const copied = name === 'meta' ? "WHERE name NOT IN ('schema_version', 'application')" : '';
      const there = await rowsOf(target, `SELECT * FROM ${name} ${copied}`);
      expect(inOrder(there), name).toEqual(inOrder(await rowsOf(source, `SELECT * FROM ${name}`)));
    }
  });

  it('preserves sessions, orders, tracking, keys, numbers and payments', async () => {
    const { file, shop, shopper, first, second, answer } = await sellingShop();
    const listed = await shop.orders(shopper);
    const database = await emptyDatabase();
    await renewTables(database);
    await runSql(shop.api.db, "UPDATE sqlite_sequence SET seq = 4711 WHERE name = 'orders'");
    // The shop is open meanwhile, as in a rehearsal.
    await copyToPostgres(file, database);
    await shop.close();

    const copied = await openShop(database);
    expect(await copied.orders(shopper)).toEqual(listed);
    const again = await copied.signIn(shopper);
    const tracked = await copied.ask(`orders/${first.id}?contactInfo=${encodeURIComponent(ADDRESS.phone)}`);
    expect(tracked).toMatchObject({ id: first.id, status: 1 });
    expect(await orderOnce(copied.api, again.token)).toBe(answer);
    const next = await copied.order(again, { quantities: { [MANGO]: 1 } });
    expect(next.number).toContain('-5712-');
    await copied.pay(again, second.id);
    await copied.pay(again, next.id);
    expect((await copied.orders(again)).map(({ id, status }) => [id, status])).toEqual([
      [next.id, 1],
      [listed[0]?.id, 0],
      [second.id, 1],
      [first.id, 1],
    ]);
    const logged = `INSERT INTO admin_log (at, who, action, target_type, target_id) VALUES (1, '', '', '', '')`;
    await runSql(copied.api.db, logged);
    expect(await firstValue(copied.api.db, 'SELECT max(number) FROM admin_log')).toBe(8);
  });

  it('refuses a database that has rows', async () => {
    const { file, shop } = await sellingShop();
    await shop.close();
    const database = await emptyDatabase();
    const db = await openPostgres(database, () => undefined);
    await runSql(db, "INSERT INTO pictures VALUES ('mine', '', ?)", Buffer.of(1));
    await db.close();
    await expect(copyToPostgres(file, database)).rejects.toThrow(
      'The database is not empty: pictures has rows. Copy into a new one.',
    );
    expect(await queryAt(database, 'SELECT * FROM orders')).toEqual([]);
  });

  it('copies nothing if a total differs or a row is refused', async () => {
    const { file, shop } = await sellingShop();
    await shop.close();
    const database = await emptyDatabase();
    await renewTables(database);
    const onOrders = (rule: string) =>
      queryAt(
        database,
        `CREATE OR REPLACE FUNCTION meddle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${rule}; RETURN new; END $$;
         CREATE OR REPLACE TRIGGER meddle BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION meddle()`,
      );
    onTestFinished(async () => void (await queryAt(database, 'DROP FUNCTION meddle CASCADE')));
    const sum = 3 * ORDER_TOTAL;
    await onOrders('new.total_paise := new.total_paise + 1');
    const words = `orders (paise): ${sum} in SQLite, ${sum + 3} in PostgreSQL. Nothing was copied.`;
    await expect(copyToPostgres(file, database)).rejects.toThrow(words);
    await onOrders("RAISE EXCEPTION 'no'");
    await expect(copyToPostgres(file, database)).rejects.toThrow(/^Nothing was copied: no$/);
    expect(await queryAt(database, 'SELECT * FROM customers')).toEqual([]);
  });
});
