import { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import type { Shoppers } from './shoppers.ts';

export interface Verdict {
  readonly counted: Readonly<Record<string, number>>;
  /** Each must be 0. */
  readonly wrong: Readonly<Record<string, number>>;
}

const CountSchema = v.object({ count: v.number() });
const IdsSchema = v.array(v.object({ id: v.string() }));
const OrdersSchema = v.object({ data: IdsSchema });

/** Looks for everything that was acknowledged, in the file and through the API, and for what nobody asked for. */
export async function reconcile(database: string, shoppers: Shoppers, url: string): Promise<Verdict> {
  const sqlite = new DatabaseSync(database, { readOnly: true });
  const count = (sql: string): number => v.parse(CountSchema, sqlite.prepare(sql).get()).count;
  const stored = new Set(
    v.parse(IdsSchema, sqlite.prepare('SELECT id FROM orders').all()).map(({ id }) => id),
  );
  const listed = new Set<string>();
  for (const token of shoppers.tokens) {
    const answer = await fetch(`${url}/api/v1/orders`, { headers: { Authorization: `Bearer ${token}` } });
    for (const { id } of v.parse(OrdersSchema, await answer.json()).data) listed.add(id);
  }
  const acknowledged = shoppers.acknowledged();
  const told = acknowledged.flatMap(({ answered }) => [...answered]);
  const verdict = {
    counted: {
      'attempts to order': shoppers.attempts.length,
      acknowledged: acknowledged.length,
      'answers lost and sent again': shoppers.lostAnswers(),
      'orders in the database': stored.size,
    },
    wrong: {
      'acknowledged orders lost': told.filter((id) => !stored.has(id)).length,
      'acknowledged orders missing in GET /orders': told.filter((id) => !listed.has(id)).length,
      'attempts with more than one order': acknowledged.filter(({ answered }) => answered.size > 1).length,
      'orders more than attempts': Math.max(stored.size - shoppers.attempts.length, 0),
      'orders that no attempt was told of': stored.size - new Set(told).size,
      'orders without items': count(
        'SELECT count(*) AS count FROM orders WHERE NOT EXISTS (SELECT 1 FROM order_items WHERE order_number = number)',
      ),
      'items without an order': count(
        'SELECT count(*) AS count FROM order_items WHERE NOT EXISTS (SELECT 1 FROM orders WHERE number = order_number)',
      ),
      'orders without their key': count(
        'SELECT count(*) AS count FROM orders WHERE NOT EXISTS (SELECT 1 FROM order_keys WHERE instr(answer, orders.id) > 0)',
      ),
      'keys without their order': count(
        "SELECT count(*) AS count FROM order_keys WHERE NOT EXISTS (SELECT 1 FROM orders WHERE orders.id = json_extract(answer, '$.id'))",
      ),
      'totals that are not the sum of their items': count(
        'SELECT count(*) AS count FROM orders WHERE total_paise <> (SELECT sum(quantity * unit_paise) FROM order_items WHERE order_number = number)',
      ),
      'faults in the file (integrity_check)': sqlite.prepare('PRAGMA integrity_check').all().length - 1,
      'broken references (foreign_key_check)': sqlite.prepare('PRAGMA foreign_key_check').all().length,
    },
  };
  sqlite.close();
  return verdict;
}
