import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import type { Reader, Transaction } from '#server/db/database.ts';

/** `from` and `to` hold only what changed. Never put a secret into them: rows of the log cannot be changed or deleted. */
export interface ChangeEntry {
  /** In the past tense, such as 'changed role'. */
  readonly action: string;
  /** Such as 'product', and its id. */
  readonly target: readonly [type: string, id: string];
  readonly from?: Readonly<Record<string, unknown>>;
  readonly to?: Readonly<Record<string, unknown>>;
}

/** Returns the values that differ. A removed value is only in `from`, a new one only in `to`. */
export function differences(before: object, after: object): Required<Pick<ChangeEntry, 'from' | 'to'>> {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const without = (values: Map<string, unknown>, others: Map<string, unknown>) =>
    Object.fromEntries([...values].filter(([name, value]) => !isDeepStrictEqual(value, others.get(name))));
  return { from: without(old, now), to: without(now, old) };
}

/** `id` is null for a command in the terminal. */
export interface Author {
  readonly id: string | null;
  readonly who: string;
}

const json = (value: ChangeEntry['from']): string | null =>
  value === undefined ? null : JSON.stringify(value);

/** Call it in the transaction that makes the change. The database refuses to change or delete a row. */
export async function recordChange(
  transaction: Transaction,
  { id, who }: Author,
  at: number,
  { action, target: [type, targetId], from, to }: ChangeEntry,
): Promise<void> {
  await transaction.run(
    `INSERT INTO admin_log (at, staff_id, who, action, target_type, target_id, from_json, to_json)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    at,
    id,
    who,
    action,
    type,
    targetId,
    json(from),
    json(to),
  );
}

const ValuesSchema = v.nullable(v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown())));

const ChangeRowSchema = v.object({
  number: v.number(),
  at: v.number(),
  who: v.string(),
  action: v.string(),
  targetType: v.string(),
  targetId: v.string(),
  from: ValuesSchema,
  to: ValuesSchema,
});

export type ChangeRow = v.InferOutput<typeof ChangeRowSchema>;

/** '' matches any value. */
export interface ChangeFilter {
  readonly who: string;
  readonly type: string;
  readonly id: string;
}

const WHERE = `WHERE (? = '' OR who = ?) AND (? = '' OR target_type = ?) AND (? = '' OR target_id = ?)`;

const valuesOf = ({ who, type, id }: ChangeFilter) => [who, who, type, type, id, id];

export async function countChanges(db: Reader, filter: ChangeFilter): Promise<number> {
  const row = await db.get(
    v.object({ count: v.number() }),
    `SELECT COUNT(*) AS count FROM admin_log ${WHERE}`,
    ...valuesOf(filter),
  );
  return row?.count ?? 0;
}

/** Newest first. */
export const readChanges = (
  db: Reader,
  filter: ChangeFilter,
  most: number,
  skipped: number,
): Promise<ChangeRow[]> =>
  db.all(
    ChangeRowSchema,
    `SELECT number, at, who, action, target_type AS "targetType", target_id AS "targetId", from_json AS "from", to_json AS "to"
     FROM admin_log ${WHERE} ORDER BY number DESC LIMIT ? OFFSET ?`,
    ...valuesOf(filter),
    most,
    skipped,
  );

export const authorsOfChanges = async (db: Reader): Promise<string[]> =>
  (
    await db.all(v.object({ who: v.string() }), 'SELECT DISTINCT who FROM admin_log ORDER BY who LIMIT 200')
  ).map(({ who }) => who);
