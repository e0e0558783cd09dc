import { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import type { Attempt } from './shoppers.ts';

export interface Verdict {
  readonly counted: Readonly<Record<string, number>>;
  /** Counts of what must not happen: each must be 0. */
  readonly wrong: Readonly<Record<string, number>>;
}

/** What the shoppers know at the end. */
export interface ShoppersView {
  readonly attempts: readonly Attempt[];
  /** The ids of all orders that GET /orders shows to the shoppers. */
  readonly listed: ReadonlySet<string>;
}

const CountSchema = v.object({ count: v.number() });
const StoredSchema = v.array(v.object({ id: v.string(), quantity: v.nullable(v.number()) }));

/** Looks for every acknowledged order in the database and in the API's list, and for rows that nobody asked for. */
export function reconcile(database: string, { attempts, listed }: ShoppersView): Verdict {
  const sqlite = new DatabaseSync(database, { readOnly: true });
  const count = (sql: string): number => v.parse(CountSchema, sqlite.prepare(sql).get()).count;
  const stored = new Map(
    v
      .parse(
        StoredSchema,
        sqlite
          .prepare(
            'SELECT id, (SELECT sum(quantity) FROM order_items WHERE order_number = number) AS quantity FROM orders',
          )
          .all(),
      )
      .map(({ id, quantity }) => [id, quantity]),
  );
  const acknowledged = attempts.filter(({ answered }) => answered.size > 0);
  const acknowledgedQuantities = new Map(
    acknowledged.flatMap(({ answered, quantity }) => [...answered].map((id) => [id, quantity])),
  );
  const countIds = (ids: Iterable<string>, isWrong: (id: string) => boolean): number =>
    [...ids].filter(isWrong).length;
  const verdict = {
    counted: {
      'attempts to order': attempts.length,
      acknowledged: acknowledged.length,
      'orders in the database': stored.size,
    },
    wrong: {
      'acknowledged orders lost': countIds(acknowledgedQuantities.keys(), (id) => !stored.has(id)),
      'acknowledged orders missing in GET /orders': countIds(
        acknowledgedQuantities.keys(),
        (id) => !listed.has(id),
      ),
      'attempts with more than one order': acknowledged.filter(({ answered }) => answered.size > 1).length,
      'orders more than attempts': Math.max(stored.size - attempts.length, 0),
      'orders that no attempt was told of': countIds(stored.keys(), (id) => !acknowledgedQuantities.has(id)),
      'orders of another quantity than asked for': countIds(
        acknowledgedQuantities.keys(),
        (id) => stored.has(id) && stored.get(id) !== acknowledgedQuantities.get(id),
      ),
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
